import { describe, expect, it } from "vitest";
import { hasHeaderMarks, headerMarkFault, offerable } from "../../../../shared/mcp/header-marks.ts";

const marked = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name });
const withProperties = (properties: Record<string, unknown>) => ({ type: "object", properties });

describe("headerMarkFault", () => {
  it.each([
    ["no annotation", { a: { type: "object" } }],
    [
      "a string, an integer and a boolean",
      {
        a: marked("A"),
        b: marked("B-1", "integer"),
        c: marked("c_", "boolean"),
      },
    ],
    ["a property of a property", { a: withProperties({ b: marked("B") }) }],
    ["a property of that name", { "x-mcp-header": { type: "string" } }],
    ["data that looks like one", { a: { default: { "x-mcp-header": "" } } }],
  ])("finds none with %s", (_, properties) => {
    expect(headerMarkFault(withProperties(properties))).toBeNull();
  });

  it.each([
    ["an empty name", { a: marked("") }, "is no header name"],
    ["a space in the name", { a: marked("My Region") }, "is no header name"],
    ["a colon in the name", { a: marked("Region:Primary") }, "is no header name"],
    ["a letter beyond ASCII", { a: marked("Région") }, "is no header name"],
    ["a tab in the name", { a: marked("Region\t1") }, "is no header name"],
    ["a name that is no text", { a: marked(7) }, "is no header name"],
    ["an object", { a: marked("A", "object") }, "is not on a string, integer or boolean"],
    ["an array", { a: marked("A", "array") }, "is not on a string, integer or boolean"],
    ["null", { a: marked("A", "null") }, "is not on a string, integer or boolean"],
    ["a number", { a: marked("A", "number") }, "is not on a string, integer or boolean"],
    ["several types", { a: marked("A", ["string"]) }, "is not on a string, integer or boolean"],
    ["no type", { a: { "x-mcp-header": "A" } }, "is not on a string, integer or boolean"],
    ["one name twice", { a: marked("Region"), b: marked("Region") }, "repeats a name"],
    ["one name in two cases", { a: marked("MyField"), b: marked("myfield") }, "repeats a name"],
    [
      "a place inside a list",
      { a: { items: withProperties({ b: marked("B") }) } },
      "is not on a property of the arguments",
    ],
    [
      "a place inside a choice",
      { a: { anyOf: [withProperties({ b: marked("B") })] } },
      "is not on a property of the arguments",
    ],
  ])("finds %s", (_, properties, fault) => {
    expect(headerMarkFault(withProperties(properties))).toContain(fault);
  });

  it.each([
    ["the schema itself", { ...withProperties({}), "x-mcp-header": "A" }],
    ["a definition", { $defs: { a: marked("A") } }],
  ])("finds an annotation on %s", (_, schema) => {
    expect(headerMarkFault(schema)).toContain("is not on a property of the arguments");
  });

  it("reads a schema of any depth", () => {
    const depth = 50_000;
    let schema: Record<string, unknown> = marked("");
    for (let level = 0; level < depth; level += 1) schema = withProperties({ a: schema });
    expect(headerMarkFault(schema)).toContain("is no header name");
    expect(hasHeaderMarks(schema)).toBe(true);
  });
});

describe("hasHeaderMarks", () => {
  it("sees annotations, and not what only looks like one", () => {
    expect(hasHeaderMarks(withProperties({ a: marked("A") }))).toBe(true);
    expect(hasHeaderMarks(withProperties({ "x-mcp-header": { type: "string" } }))).toBe(false);
  });
});

describe("offerable", () => {
  it("leaves out what cannot be followed, tells of it and keeps the rest", () => {
    const good = { name: "good", inputSchema: withProperties({ a: marked("A") }) };
    const bad = { name: "bad", inputSchema: withProperties({ a: marked("") }) };
    const earlier = { code: "FIELD_REPAIRED", message: "m" };
    expect(offerable({ items: [bad, good], warnings: [earlier] })).toEqual({
      items: [good],
      warnings: [
        earlier,
        {
          code: "HEADER_MARK_INVALID",
          message: `Tool "bad" is left out: x-mcp-header at 'a' is no header name.`,
        },
      ],
    });
  });
});
