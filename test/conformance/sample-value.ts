import { isRecord } from "./gateway-api.ts";

/** A value that a simple JSON Schema accepts: its default, its first choice, or a plain sample. */
function sampleValue(schema: unknown): unknown {
  if (!isRecord(schema)) return "sample";
  if ("default" in schema) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  switch (schema["type"]) {
    case "object":
      return sampleObject(schema);
    case "array":
      return [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    case "null":
      return null;
    default:
      return "sample";
  }
}

/** An object with the members that `schema` requires; with `all`, those that it only offers as well. */
export function sampleObject(
  schema: Record<string, unknown>,
  all = false,
): Record<string, unknown> {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const names = Object.keys(properties).filter((name) => all || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, sampleValue(properties[name])]));
}
