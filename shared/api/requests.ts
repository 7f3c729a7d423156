import * as z from "zod";
import { capabilitiesField, commonOptions, configFields, serverField } from "./request-fields.ts";

/** Most calls in one `{calls: […]}` request. */
const maxCalls = 16;

const anyObject = z.record(z.string(), z.unknown());

export const callOptionsSchema = z
  .strictObject({
    ...commonOptions,
    max_result_bytes: z
      .int()
      .min(1024)
      .max(8 * 1024 * 1024)
      .optional()
      .meta({
        description: "Bytes of content to answer at most; 1 MiB by default, 8 MiB at most.",
      }),
    session: z.string().min(1).max(8192).optional().meta({
      description:
        "`new`: the server's session is kept, and metadata.session is its handle; a handle continues that session. Over stdio a session is a process of its own, which ends when it is unused for a while. Default: a session for this request alone.",
    }),
    capabilities: capabilitiesField.meta({
      description:
        "What the caller can answer when a server asks for input, as MCP client capabilities; told to servers of revision 2026-07-28, and to older ones over stdio, whose calls wait for the answers. With `elicitation: {form: {applyDefaults: true}}`, forms of older remote servers are accepted with their defaults, unseen, or cancelled where a required field has none. Default: nothing.",
    }),
  })
  .meta({ id: "CallOptions" });
export type CallOptions = z.infer<typeof callOptionsSchema>;

/** What continues an operation whose status was `input_required`. */
const continuationFields = {
  input_responses: anyObject.optional().meta({
    description: "Answers to the input_requests of the result before, under the same keys.",
  }),
  request_state: z.string().max(1_048_576).optional().meta({
    description:
      "The request_state of the result before, unchanged; the other fields stay the same.",
  }),
};

const toolCallFields = {
  server: serverField,
  tool: z
    .string()
    .min(1)
    .meta({ description: "The tool's name from the catalogue, or its original name." }),
  arguments: anyObject
    .default({})
    .meta({ description: "Arguments, as the tool's input_schema says. Default: none." }),
  ...continuationFields,
};

const requestFields = { ...configFields, options: callOptionsSchema.prefault({}) };

export const singleCallSchema = z
  .strictObject({ ...requestFields, ...toolCallFields })
  .meta({ id: "ToolCallRequest" });

export const severalCallsSchema = z
  .strictObject({
    ...requestFields,
    calls: z
      .array(z.strictObject(toolCallFields).meta({ id: "ToolCall" }))
      .min(1)
      .max(maxCalls)
      .meta({
        description: "Up to 16 calls, run side by side; calls to one server share its session.",
      }),
  })
  .meta({ id: "ToolCallsRequest" });

/** Body of `POST /v1/tools/call`. */
export const toolsCallRequestSchema = z.union([singleCallSchema, severalCallsSchema]);
export type ToolsCallRequest = z.infer<typeof toolsCallRequestSchema>;

const texts = z.record(z.string(), z.string());

/** Body of `POST /v1/prompts/get`. */
export const promptRequestSchema = z
  .strictObject({
    ...requestFields,
    server: serverField,
    prompt: z
      .string()
      .min(1)
      .meta({ description: "The prompt's name from the catalogue, or its original name." }),
    arguments: texts.default({}).meta({ description: "Arguments of the prompt. Default: none." }),
    ...continuationFields,
  })
  .meta({ id: "PromptRequest" });

/** Body of `POST /v1/resources/read`. */
export const resourceRequestSchema = z
  .strictObject({
    ...requestFields,
    server: serverField,
    uri: z.string().min(1).meta({ description: "The resource's URI." }),
    ...continuationFields,
  })
  .meta({ id: "ResourceRequest" });

/** Body of `POST /v1/complete`. */
export const completionRequestSchema = z
  .strictObject({
    ...requestFields,
    server: serverField,
    ref: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("ref/prompt"), name: z.string().min(1) }),
        z.strictObject({ type: z.literal("ref/resource"), uri: z.string().min(1) }),
      ])
      .meta({
        description: "What is being filled in: a prompt's argument or a URI template's variable.",
      }),
    argument: z
      .strictObject({ name: z.string().min(1), value: z.string() })
      .meta({ description: "The argument, and what is typed of it so far." }),
    context: z
      .strictObject({ arguments: texts.optional() })
      .optional()
      .meta({ description: "Arguments that are filled in already." }),
  })
  .meta({ id: "CompletionRequest" });

/** Optional body of `DELETE /v1/sessions/{handle}`. */
export const endSessionRequestSchema = z
  .strictObject({
    ...configFields,
    options: z
      .strictObject({ subject: commonOptions.subject })
      .prefault({})
      .meta({ id: "EndSessionOptions" }),
  })
  .meta({ id: "EndSessionRequest" });
