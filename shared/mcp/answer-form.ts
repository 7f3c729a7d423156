import { isJsonObject, type JsonObject } from "./json.ts";

type FieldValue = string | number | boolean | string[];

/** What a form is answered with when nobody is there to fill it in. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: Record<string, FieldValue> }
  | { readonly action: "cancel" };

/**
 * Fills in a form elicitation by its defaults (SEP-1034); cancels it where a required field has
 * none. https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
export function answerForm(params: JsonObject): FormAnswer {
  const schema = params["requestedSchema"];
  if (!isJsonObject(schema)) return { action: "cancel" };
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const content = Object.fromEntries(Object.entries(properties).flatMap(defaultOf));
  const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const complete = required.every((name) => Object.hasOwn(content, String(name)));
  return complete ? { action: "accept", content } : { action: "cancel" };
}

function defaultOf([name, field]: [string, unknown]): [string, FieldValue][] {
  const value = isJsonObject(field) ? field["default"] : undefined;
  return isFieldValue(value) ? [[name, value]] : [];
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
