import { describe, expect, it } from "vitest";
import { answerForm } from "../../../../shared/mcp/answer-form.ts";

const form = (properties: Record<string, unknown>, required?: unknown) => ({
  message: "?",
  requestedSchema: { type: "object", properties, ...(required === undefined ? {} : { required }) },
});
const every = {
  name: { type: "string", default: "Ada" },
  age: { type: "integer", default: 0 },
  score: { type: "number", default: 95.5 },
  ok: { type: "boolean", default: false },
  tags: { type: "array", items: { enum: ["a", "b"] }, default: ["a"] },
};

describe("answerForm", () => {
  it("accepts with the default of every field that has one", () => {
    expect(answerForm(form({ ...every, note: { type: "string" } }, ["name"]))).toEqual({
      action: "accept",
      content: { name: "Ada", age: 0, score: 95.5, ok: false, tags: ["a"] },
    });
  });

  it("accepts a form without fields", () => {
    expect(answerForm(form({}))).toEqual({ action: "accept", content: {} });
  });

  it.each([
    ["has no default", form({ name: { type: "string" } }, ["name"])],
    ["has a default of no field's kind", form({ name: { default: { a: 1 } } }, ["name"])],
    ["has a list of other things for a default", form({ name: { default: [1] } }, ["name"])],
    ["is not described", form({}, ["name"])],
    ["has an inherited name", form({}, ["toString"])],
    ["is no object", form({ name: "text" }, ["name"])],
  ])("cancels a form whose required field %s", (_, params) => {
    expect(answerForm(params)).toEqual({ action: "cancel" });
  });

  it("cancels what is no form", () => {
    expect(answerForm({ mode: "url", url: "https://x.example" })).toEqual({ action: "cancel" });
  });
});
