import { describe, expect, it } from "vitest";
import type { Warning } from "../../../../shared/content/call-result.ts";
import {
  readPrompt,
  readResource,
  readResourceTemplate,
  readTool,
} from "../../../../shared/mcp/read-definition.ts";

function tool(item: unknown) {
  const warnings: Warning[] = [];
  return { tool: readTool(item, "tools[0]", warnings), codes: warnings.map(({ code }) => code) };
}

describe("readTool", () => {
  it("keeps a tool as the server sent it, members that it does not know too", () => {
    const whole = {
      name: "a/b c",
      title: "T",
      description: "D",
      inputSchema: { $defs: { x: true }, properties: { "a-b": {} } },
      outputSchema: { type: "array" },
      annotations: { readOnlyHint: true },
      execution: { taskSupport: "optional" },
      icons: [],
      _meta: { k: 1 },
    };
    expect(tool(whole)).toEqual({ tool: whole, codes: [] });
  });

  it.each([null, 7, "echo", [], {}, { name: "" }, { name: 7 }, { title: "x" }])(
    "sets %j aside",
    (item) => {
      expect(tool(item)).toEqual({ tool: null, codes: ["ITEM_UNREADABLE"] });
    },
  );

  it.each([undefined, null, "{}", []])(
    "has a tool with input schema %j take any object",
    (inputSchema) => {
      expect(tool({ name: "t", inputSchema })).toEqual({
        tool: { name: "t", inputSchema: { type: "object" } },
        codes: ["FIELD_REPAIRED"],
      });
    },
  );

  it("leaves fields of a wrong type out, null without a word", () => {
    const item = {
      name: "t",
      inputSchema: {},
      description: 7,
      outputSchema: "x",
      annotations: null,
    };
    expect(tool(item)).toEqual({
      tool: { name: "t", inputSchema: {} },
      codes: ["FIELD_REPAIRED", "FIELD_REPAIRED"],
    });
  });

  it("is not misled by names of Object.prototype", () => {
    const item = JSON.parse(
      '{"name":"t","inputSchema":{},"constructor":1,"__proto__":{"x":1}}',
    ) as unknown;
    expect(tool(item).codes).toEqual([]);
    expect(Object.keys(tool(item).tool ?? {})).toContain("__proto__");
  });
});

describe("readPrompt", () => {
  it("keeps a prompt and its arguments", () => {
    const whole = { name: "p", description: "D", arguments: [{ name: "a", required: false }] };
    expect(readPrompt(whole, "prompts[0]", [])).toEqual(whole);
  });

  it("leaves arguments out that are no list of objects", () => {
    const warnings: Warning[] = [];
    expect(readPrompt({ name: "p", arguments: ["a"] }, "prompts[0]", warnings)).toEqual({
      name: "p",
    });
    expect(warnings).toHaveLength(1);
  });
});

describe.each([
  ["readResource", readResource, "uri"],
  ["readResourceTemplate", readResourceTemplate, "uriTemplate"],
] as const)("%s", (_name, read, key) => {
  function readItem(item: unknown) {
    const warnings: Warning[] = [];
    return { item: read(item, "list[0]", warnings), codes: warnings.map(({ code }) => code) };
  }

  it("keeps an item as the server sent it", () => {
    const whole = {
      [key]: "file:///a",
      name: "a",
      title: "A",
      mimeType: "text/plain",
      _meta: {},
      x: 1,
    };
    expect(readItem(whole)).toEqual({ item: whole, codes: [] });
  });

  it("knows an item without a name by its URI", () => {
    expect(readItem({ [key]: "file:///a" }).item).toEqual({
      [key]: "file:///a",
      name: "file:///a",
    });
    expect(readItem({ [key]: "file:///a", name: 5 }).item).toMatchObject({ name: "file:///a" });
  });

  it("leaves fields of a wrong type out, and tells of them", () => {
    const item = { [key]: "file:///a", name: "a", mimeType: 7, annotations: [] };
    expect(readItem(item)).toEqual({
      item: { [key]: "file:///a", name: "a" },
      codes: ["FIELD_REPAIRED", "FIELD_REPAIRED"],
    });
  });

  it.each([null, 7, {}, { name: "a" }, { [key]: "" }, { [key]: 7, name: "a" }])(
    "sets %j aside",
    (item) => {
      expect(readItem(item)).toEqual({ item: null, codes: ["ITEM_UNREADABLE"] });
    },
  );
});
