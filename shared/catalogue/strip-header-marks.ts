import { namedSchemaKeywords, schemaKeywords } from "../mcp/schema-keywords.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema without its `x-mcp-header` annotations, which speak to MCP clients and not to
 * models (MCP 2026-07-28, "Custom headers"). Properties of that name and data (`default`,
 * `const`, `enum`, `examples`) stay; key order stays. The schema's depth must be bounded.
 */
export function stripHeaderMarks(schema: Schema): Record<string, unknown> {
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== "x-mcp-header");
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (schemaKeywords.has(keyword)) return [keyword, stripEach(value)];
      if (namedSchemaKeywords.has(keyword) && isSchema(value)) return [keyword, stripValues(value)];
      return [keyword, value];
    }),
  );
}

function stripEach(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripEach);
  return isSchema(value) ? stripHeaderMarks(value) : value;
}

function stripValues(schemas: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, stripEach(schema)]),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
