import * as z from "zod";
import { logLevels } from "../mcp/log-levels.ts";

/** The part of a request that says which servers are in scope. */
export const configFields = {
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "A config as an object, in the native form or any known dialect." }),
  config_text: z
    .string()
    .optional()
    .meta({ description: "A config as the text of a file. Not together with `config`." }),
  config_path: z.string().max(1024).optional().meta({
    description: "The file name that goes with `config_text`; helps to tell its dialect.",
  }),
  env_files: z.record(z.string(), z.string()).optional().meta({
    description: "Text of each env file, under the path exactly as the config writes it.",
  }),
  inputs: z.record(z.string(), z.string()).optional().meta({
    description:
      "Values for `${NAME}` references: of servers in the config freely, of configured servers where they list the name.",
  }),
  include_configured: z.boolean().default(false).meta({
    description: "With a config: configured servers are in scope as well. Default false.",
  }),
};

const configFieldsSchema = z.object(configFields);
export type ConfigFields = z.infer<typeof configFieldsSchema>;

/** Options of every operation. */
export const commonOptions = {
  timeout_s: z.number().positive().max(300).optional().meta({
    description:
      "Seconds for the operation, at most 300; progress starts them anew, up to 300 in all. Default: the server's request_timeout.",
  }),
  subject: z.string().min(1).max(256).optional().meta({
    description: "The end user or agent on whose behalf the request is made. Default: the key.",
  }),
  log_level: z.enum(logLevels).optional().meta({
    description:
      "Least severe log records wanted from servers: in the stream, or up to 100 in metadata.logs. Default: none.",
  }),
};

const anyObject = z.record(z.string(), z.unknown());

/** What the caller can answer; each use has a description of its own. */
export const capabilitiesField = z
  .strictObject({
    elicitation: anyObject.optional(),
    sampling: anyObject.optional(),
    roots: anyObject.optional(),
  })
  .optional();
export type Capabilities = z.infer<typeof capabilitiesField>;

export const serverField = z.string().optional().meta({
  description: "The server's name; may be left out when one server is in scope.",
});
