import { describe, expect, it } from "vitest";
import { stripHeaderMarks } from "../../../../shared/catalogue/strip-header-marks.ts";

const marked = { type: "string", "x-mcp-header": "Region" };
const plain = { type: "string" };

describe("stripHeaderMarks", () => {
  it.each([
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "oneOf",
    "prefixItems",
  ])("takes the mark out of the schemas under %s", (keyword) => {
    expect(stripHeaderMarks({ [keyword]: marked })).toEqual({ [keyword]: plain });
    expect(stripHeaderMarks({ [keyword]: [marked, true] })).toEqual({ [keyword]: [plain, true] });
  });

  it.each([
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "$defs",
    "definitions",
  ])("takes the mark out of the schemas named in %s", (keyword) => {
    expect(stripHeaderMarks({ [keyword]: { a: marked } })).toEqual({ [keyword]: { a: plain } });
  });

  it("takes the mark out at the root and deep inside", () => {
    const schema = { ...marked, properties: { a: { anyOf: [{ properties: { b: marked } }] } } };
    expect(stripHeaderMarks(schema)).toEqual({
      ...plain,
      properties: { a: { anyOf: [{ properties: { b: plain } }] } },
    });
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
