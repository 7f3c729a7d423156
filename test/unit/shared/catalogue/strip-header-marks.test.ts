import { describe, expect, it } from "vitest";
import { stripHeaderMarks } from "../../../../shared/catalogue/strip-header-marks.ts";

const marked = { type: "string", "x-mcp-header": "Region" };
const plain = { type: "string" };

describe("stripHeaderMarks", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["at the root", marked, plain],
    ["of a property", { properties: { a: marked } }, { properties: { a: plain } }],
    [
      "deep in properties",
      { properties: { a: { properties: { b: marked } } } },
      { properties: { a: { properties: { b: plain } } } },
    ],
    ["of items", { items: marked }, { items: plain }],
    ["in a list of items", { items: [marked, true] }, { items: [plain, true] }],
    ["in anyOf", { anyOf: [marked, { not: marked }] }, { anyOf: [plain, { not: plain }] }],
    ["in $defs", { $defs: { a: marked } }, { $defs: { a: plain } }],
    ["in definitions", { definitions: { a: marked } }, { definitions: { a: plain } }],
    [
      "in a pattern",
      { patternProperties: { "^a": marked } },
      { patternProperties: { "^a": plain } },
    ],
  ])("takes the mark out %s", (_, schema, stripped) => {
    expect(stripHeaderMarks(schema)).toEqual(stripped);
  });

  it.each<[string, Record<string, unknown>]>([
    ["a property of that name", { properties: { "x-mcp-header": { type: "string" } } }],
    ["a default", { default: { "x-mcp-header": 1 } }],
    ["an enum", { enum: [{ "x-mcp-header": 1 }] }],
    ["an example", { examples: [{ "x-mcp-header": 1 }] }],
    ["boolean schemas", { additionalProperties: false, properties: { a: true } }],
    ["a malformed properties", { properties: [1], items: null }],
  ])("keeps %s", (_, schema) => {
    expect(stripHeaderMarks(schema)).toEqual(schema);
  });

  it("keeps the bytes of a schema without marks, odd property names included", () => {
    const text =
      '{"type":"object","required":["b"],"properties":{"b":{"type":"number"},"__proto__":{"type":"string"},"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{}}}';
    const schema: Record<string, unknown> = JSON.parse(text);
    expect(JSON.stringify(stripHeaderMarks(schema))).toBe(text);
  });

  it("does not change the schema that it is given", () => {
    const schema = { properties: { a: { ...marked } } };
    stripHeaderMarks(schema);
    expect(schema).toEqual({ properties: { a: marked } });
  });
});
