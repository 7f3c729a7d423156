import * as z from "zod";
import { readBase64 } from "../mcp/base64.ts";
import { isJsonObject, type JsonObject } from "../mcp/json.ts";

/** Kept by identity: copying could lose a key named `__proto__`. */
const unchangedObject = z.custom<JsonObject>(isJsonObject, "is no object");
const base64 = z.string().refine((data) => readBase64(data) !== null, "is not base64");
const optionalText = z.string().nullish();

const extras = { annotations: unchangedObject.nullish(), _meta: unchangedObject.nullish() };

const resource = z
  .object({
    uri: z.string(),
    mimeType: optionalText,
    text: optionalText,
    blob: optionalText,
    _meta: unchangedObject.nullish(),
  })
  .refine(
    ({ text, blob }) => typeof text === "string" || readBase64(blob) !== null,
    "has neither text nor base64 in blob",
  );

/**
 * The content blocks of MCP results, of every revision (2026-07-28, "Content blocks"). Null counts
 * as absent in optional fields: some servers write them all out.
 */
export const rawBlockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), ...extras }),
  z.object({ type: z.enum(["image", "audio"]), data: base64, mimeType: z.string(), ...extras }),
  z.object({ type: z.literal("resource"), resource, ...extras }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: optionalText,
    title: optionalText,
    description: optionalText,
    mimeType: optionalText,
    size: z.number().nullish(),
    icons: z.array(z.unknown()).nullish(),
    ...extras,
  }),
]);

export type RawBlock = z.infer<typeof rawBlockSchema>;
