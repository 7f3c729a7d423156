import { z } from "zod";

/** Most calls in one `{calls: […]}` request. */
export const maxCalls = 16;

const configFields = {
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "A config as an object, in the native form or any known dialect." }),
  config_text: z
    .string()
    .optional()
    .meta({ description: "A config as the text of a file. Not together with `config`." }),
  config_path: z
    .string()
    .max(1024)
    .optional()
    .meta({ description: "The file name that goes with `config_text`; helps to tell its dialect." }),
  env_files: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: "Text of each env file, under the path exactly as the config writes it." }),
  inputs: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        "Values for `${NAME}` references: of servers in the config freely, of configured servers where they list the name.",
    }),
  include_configured: z
    .boolean()
    .default(false)
    .meta({ description: "With a config: configured servers are in scope as well. Default false." }),
};

const subjectField = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .meta({ description: "The end user or agent on whose behalf the request is made. Default: the key." });

const timeoutField = z
  .number()
  .positive()
  .max(300)
  .optional()
  .meta({ description: "Seconds for the operation, at most 300. Default: the server's request_timeout." });

const callTarget = {
  server: z
    .string()
    .optional()
    .meta({ description: "The server's name; may be left out when one server is in scope." }),
  tool: z.string().min(1).meta({ description: "The tool's name from the catalogue, or its original name." }),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: "Arguments, as the tool's input_schema says. Default: none." }),
};

export const callOptionsSchema = z
  .strictObject({
    timeout_s: timeoutField,
    max_result_bytes: z
      .int()
      .min(1024)
      .max(8 * 1024 * 1024)
      .optional()
      .meta({ description: "Bytes of content to answer at most; 1 MiB by default, 8 MiB at most." }),
    subject: subjectField,
  })
  .meta({ id: "CallOptions" });

export const singleCallSchema = z
  .strictObject({ ...configFields, ...callTarget, options: callOptionsSchema.default({}) })
  .meta({ id: "ToolCallRequest" });

export const severalCallsSchema = z
  .strictObject({
    ...configFields,
    calls: z
      .array(z.strictObject(callTarget).meta({ id: "ToolCall" }))
      .min(1)
      .max(maxCalls)
      .meta({ description: "Up to 16 calls, run side by side; calls to one server share its session." }),
    options: callOptionsSchema.default({}),
  })
  .meta({ id: "ToolCallsRequest" });

/** Body of `POST /v1/tools/call`. */
export const toolsCallRequestSchema = z.union([singleCallSchema, severalCallsSchema]);
export type ToolsCallRequest = z.infer<typeof toolsCallRequestSchema>;
export type CallOptions = z.infer<typeof callOptionsSchema>;

/** One call of a request, with the server that it names, if it names one. */
export interface ToolCall {
  readonly server?: string | undefined;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

/** Body of `POST /v1/tools/list`. */
export const toolsListRequestSchema = z
  .strictObject({
    ...configFields,
    servers: z
      .array(z.string())
      .min(1)
      .optional()
      .meta({ description: "List these servers only. Default: every server in scope." }),
    options: z
      .strictObject({ timeout_s: timeoutField, subject: subjectField })
      .default({})
      .meta({ id: "ListOptions" }),
  })
  .meta({ id: "ToolsListRequest" });
export type ToolsListRequest = z.infer<typeof toolsListRequestSchema>;

/** The part of a request that says which servers are in scope. */
export type ConfigFields = Pick<
  ToolsListRequest,
  "config" | "config_text" | "config_path" | "env_files" | "inputs" | "include_configured"
>;

/** JSON body of `POST /v1/validate`. */
export const validateRequestSchema = z
  .strictObject({
    files: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(1024).meta({ description: "File name, shown in the answer." }),
          text: z.string().meta({ description: "The file's whole text." }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ description: "The files to check." }),
  })
  .meta({ id: "ValidateRequest" });

/** Body of `POST /v1/convert`. */
export const convertRequestSchema = z
  .strictObject({
    path: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: "The file's name; helps to tell its dialect." }),
    text: z.string().meta({ description: "The config's whole text." }),
    dialect: z
      .string()
      .optional()
      .meta({ description: "Id of the dialect, where it is not to be told by name and shape." }),
    form: z
      .enum(["agent", "global"])
      .default("agent")
      .meta({ description: "`agent`: a tools list; `global`: version and mcp_servers. Default agent." }),
  })
  .meta({ id: "ConvertRequest" });
