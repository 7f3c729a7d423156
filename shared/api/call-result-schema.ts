import * as z from "zod";
import { errorBodySchema } from "./error-body-schema.ts";
import { toldMetadata } from "./told-schema.ts";

const unchangedObject = z.record(z.string(), z.unknown());
const bytes = z.int().nonnegative();

const extras = {
  annotations: unchangedObject
    .exactOptional()
    .meta({ description: "The block's MCP annotations, unchanged." }),
  meta: unchangedObject.exactOptional().meta({ description: "The block's `_meta`, unchanged." }),
};

export const textBlockSchema = z
  .object({
    type: z.literal("text"),
    text: z.string(),
    unrecognized: z.literal(true).exactOptional().meta({
      description: "Set when the server's block was unknown or malformed: `text` is its JSON.",
    }),
    ...extras,
  })
  .meta({ id: "TextBlock" });

export const mediaBlockSchema = z
  .object({
    type: z.enum(["image", "audio"]),
    data: z.string().meta({ description: "Base64, as the server sent it." }),
    mime_type: z.string(),
    ...extras,
  })
  .meta({ id: "MediaBlock" });

export const binaryBlockSchema = z
  .object({
    type: z.literal("binary"),
    uri: z.string().nullable().meta({ description: "URI of the resource." }),
    mime_type: z.string().nullable(),
    data: z.string().nullable().meta({
      description:
        "The resource in base64. Null for a resource link, and for a text resource whose base64 did not fit the size limit.",
    }),
    text: z
      .string()
      .exactOptional()
      .meta({ description: "The resource's text, when the resource is text." }),
    name: z.string().exactOptional(),
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    size: z.number().exactOptional().meta({
      description:
        "Size in bytes: of the resource in `data` as it came, or as a resource link states it.",
    }),
    icons: z
      .array(z.unknown())
      .exactOptional()
      .meta({ description: "The resource link's icons, unchanged." }),
    resource_meta: unchangedObject
      .exactOptional()
      .meta({ description: "The embedded resource's own `_meta`, unchanged." }),
    ...extras,
  })
  .meta({ id: "BinaryBlock" });

const contentBlockSchema = z
  .union([textBlockSchema, mediaBlockSchema, binaryBlockSchema])
  .meta({ id: "ContentBlock" });

export const truncationSchema = z
  .object({
    pointer: z.string().meta({ description: "JSON Pointer into the result." }),
    original_bytes: bytes.meta({
      description: "Bytes before shortening: of UTF-8 for text, of base64 for data, else of JSON.",
    }),
    kept_bytes: bytes.meta({ description: "Bytes kept, counted likewise." }),
  })
  .meta({ id: "Truncation" });

export const warningSchema = z
  .object({
    code: z
      .string()
      .meta({ description: "Stable name of the kind of warning, `BLOCK_UNRECOGNIZED`." }),
    message: z.string(),
  })
  .meta({ id: "Warning" });

/** Metadata of every operation's answer, besides what was asked for. */
const operationMetadata = {
  request_id: z.string(),
  server: z.string().meta({ description: "The server's name in the config." }),
  source: z.enum(["deployment", "tenant", "submitted"]),
  transport: z.enum(["stdio", "sse", "websocket", "http"]),
  protocol_version: z.string().nullable(),
  era: z.enum(["legacy", "modern"]).nullable(),
  duration_ms: z.number(),
  timings_ms: z.record(z.string(), z.number()).meta({ description: "Milliseconds by stage." }),
  upstream_requests: z
    .int()
    .nonnegative()
    .meta({ description: "HTTP requests sent to a remote server; 0 for stdio." }),
  warm: z.boolean().meta({ description: "The call was served by a process that already ran." }),
  session: z.string().nullable().meta({
    description:
      "Handle that continues the server's session as `options.session`; null without one.",
  }),
  masked: z
    .int()
    .nonnegative()
    .meta({ description: "How many secret values were masked in the result." }),
  truncated: z.array(truncationSchema).meta({
    description: "What was shortened to keep the result under its size limit; empty = nothing.",
  }),
  warnings: z.array(warningSchema).meta({
    description: "What was lost or repaired on the way without failing the operation.",
  }),
  ...toldMetadata,
  meta: unchangedObject
    .exactOptional()
    .meta({ description: "The result's own `_meta`, as the server sent it." }),
};

export const callMetadataSchema = z
  .object({
    ...operationMetadata,
    tool: z.string().meta({ description: "The tool's original name." }),
  })
  .meta({ id: "CallMetadata" });

const inputRequired = {
  input_requests: unchangedObject.exactOptional().meta({
    description: "Set when status is `input_required`: the server's requests by their keys.",
  }),
  request_state: z
    .string()
    .exactOptional()
    .meta({ description: "Send it back unchanged with the `input_responses`." }),
  expires_at: z
    .string()
    .exactOptional()
    .meta({ description: "ISO 8601 time after which `request_state` is refused." }),
};

const answered = {
  success: z.boolean().meta({ description: "True for status `ok` alone." }),
  status: z.enum(["ok", "input_required"]),
  ...inputRequired,
};

/** Answer of `POST /v1/prompts/get`. */
export const promptResultSchema = z
  .object({
    ...answered,
    description: z.string().nullable(),
    messages: z.array(
      z
        .object({ role: z.enum(["user", "assistant"]), content: contentBlockSchema })
        .meta({ id: "PromptMessage" }),
    ),
    metadata: z
      .object({
        ...operationMetadata,
        prompt: z.string().meta({ description: "The prompt's original name." }),
      })
      .meta({ id: "PromptMetadata" }),
  })
  .meta({ id: "PromptResult" });

/** Answer of `POST /v1/resources/read`. */
export const resourceResultSchema = z
  .object({
    ...answered,
    content: z.array(contentBlockSchema).meta({
      description:
        "A `binary` block for each part of the resource; text resources have `text` too.",
    }),
    metadata: z
      .object({ ...operationMetadata, uri: z.string().meta({ description: "The URI asked for." }) })
      .meta({ id: "ResourceMetadata" }),
  })
  .meta({ id: "ResourceResult" });

/** Answer of `POST /v1/complete`. */
export const completionResultSchema = z
  .object({
    success: z.literal(true),
    status: z.literal("ok"),
    completion: z.object({
      values: z.array(z.string()),
      total: z.number().nullable().meta({ description: "How many values there are in all." }),
      has_more: z.boolean().nullable(),
    }),
    metadata: z.object(operationMetadata).meta({ id: "CompletionMetadata" }),
  })
  .meta({ id: "CompletionResult" });

/** The answer to one tool call that reached the tool: HTTP 200 for every status. */
export const callResultSchema = z
  .object({
    success: z.boolean().meta({ description: "True for status `ok` alone." }),
    status: z.enum(["ok", "tool_error", "input_required"]),
    content: z.array(contentBlockSchema),
    structured_content: z
      .unknown()
      .exactOptional()
      .meta({ description: "The tool's structured result, as the server sent it." }),
    error: errorBodySchema
      .exactOptional()
      .meta({ description: "Set when status is `tool_error`." }),
    ...inputRequired,
    metadata: callMetadataSchema,
  })
  .meta({ id: "CallResult" });
