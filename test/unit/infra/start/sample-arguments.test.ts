import { describe, expect, it } from "vitest";
import { sampleArguments } from "../../../../infra/start/sample-arguments.ts";

const object = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
});

describe("sample arguments", () => {
  it.each([
    ["no schema of its own", {}, {}],
    ["optional properties alone", object({ a: { type: "array" } }, []), {}],
    ["a text", object({ a: { type: "string" } }, ["a"]), { a: "text" }],
    [
      "a text of a form",
      object({ a: { type: "string", format: "uri" } }, ["a"]),
      { a: "https://example.com" },
    ],
    ["a long text", object({ a: { type: "string", minLength: 6 } }, ["a"]), { a: "texttt" }],
    [
      "numbers",
      object({ a: { type: "number" }, b: { type: "integer", minimum: 5 } }, ["a", "b"]),
      { a: 1, b: 5 },
    ],
    ["a switch", object({ a: { type: "boolean" } }, ["a"]), { a: true }],
    ["a choice", object({ a: { enum: ["x", "y"] } }, ["a"]), { a: "x" }],
    ["an example", object({ a: { type: "array", examples: [["x"]] } }, ["a"]), { a: ["x"] }],
    ["a list", object({ a: { type: "array" } }, ["a"]), null],
    ["a property that is not described", object({}, ["a"]), null],
    ["something that is no schema", "x", null],
  ])("of %s are simple or none", (_, schema, expected) => {
    expect(sampleArguments(schema)).toEqual(expected);
  });
});
