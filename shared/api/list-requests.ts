import * as z from "zod";
import { capabilitiesField, commonOptions, configFields } from "./request-fields.ts";

/** Body of `POST /v1/tools/list`, `/v1/prompts/list`, `/v1/resources/list`, `/v1/resources/templates/list`. */
export const listRequestSchema = z
  .strictObject({
    ...configFields,
    servers: z
      .array(z.string())
      .min(1)
      .optional()
      .meta({ description: "List these servers only. Default: every server in scope." }),
    options: z
      .strictObject({
        ...commonOptions,
        refresh: z.boolean().default(false).meta({
          description: "True: ask the servers, whatever was listed a moment ago. Default false.",
        }),
        capabilities: capabilitiesField.meta({
          description:
            "What calls will declare in their `options.capabilities`: some servers list a tool only for callers that can answer. Nothing is asked during a list. Default: nothing.",
        }),
      })
      .prefault({})
      .meta({ id: "ListOptions" }),
  })
  .meta({ id: "ListRequest" });
export type ListRequest = z.infer<typeof listRequestSchema>;
