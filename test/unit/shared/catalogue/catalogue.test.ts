import { describe, expect, it } from "vitest";
import {
  catalogueResourceSchema,
  catalogueResourceTemplateSchema,
  catalogueToolSchema,
  cataloguePromptSchema,
} from "../../../../shared/api/catalogue-schema.ts";
import {
  catalogueHash,
  cataloguePrompts,
  catalogueResources,
  catalogueResourceTemplates,
  catalogueTools,
  type CatalogueServer,
} from "../../../../shared/catalogue/catalogue.ts";
import { toolAllowed } from "../../../../shared/catalogue/allowed.ts";
import type { ToolDefinition } from "../../../../shared/mcp/session-types.ts";

const server: CatalogueServer = {
  name: "fs",
  load_tools: true,
  load_prompts: true,
  disabled_tools: [],
};
const inputSchema = { type: "object", properties: { path: { type: "string" } } };

function tool(name: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, inputSchema, ...more };
}

async function names(config: CatalogueServer, tools: readonly ToolDefinition[]): Promise<string[]> {
  return (await catalogueTools(config, tools)).entries.map(({ name }) => name);
}

describe("catalogueTools", () => {
  it("gives a whole definition under all its names", async () => {
    const full = tool("read.file", {
      title: "Read",
      description: "Reads a file.",
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
      _meta: { a: 1 },
    });
    const { entries, warnings } = await catalogueTools(server, [full]);
    expect(warnings).toEqual([]);
    expect(entries).toEqual([
      {
        name: "read.file",
        qualified_name: expect.stringMatching(/^fs__read-file-[0-9a-f]{6}$/),
        server: "fs",
        original_name: "read.file",
        title: "Read",
        description: "Reads a file.",
        input_schema: inputSchema,
        output_schema: { type: "object" },
        annotations: { readOnlyHint: true },
        meta: { a: 1 },
      },
    ]);
    expect(catalogueToolSchema.array().parse(entries)).toEqual(entries);
  });

  it("gives null for what the server did not send", async () => {
    const { entries } = await catalogueTools(server, [tool("a")]);
    expect(entries[0]).toMatchObject({
      title: null,
      description: null,
      output_schema: null,
      annotations: null,
      meta: null,
    });
  });

  it("takes x-mcp-header out of both schemas", async () => {
    const marked = { properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    const { entries } = await catalogueTools(server, [
      tool("a", { inputSchema: marked, outputSchema: marked }),
    ]);
    const plain = { properties: { region: { type: "string" } } };
    expect(entries[0]).toMatchObject({ input_schema: plain, output_schema: plain });
    expect(JSON.stringify(entries)).not.toContain("x-mcp-header");
  });

  it("keeps the server's order", async () => {
    expect(await names(server, [tool("c"), tool("a"), tool("b")])).toEqual(["c", "a", "b"]);
  });

  it.each<[string, Partial<CatalogueServer>]>([
    ["no list", {}],
    ["allowed_tools", { allowed_tools: ["a b", "c"] }],
    ["disabled_tools", { disabled_tools: ["a-b"] }],
    ["both lists", { allowed_tools: ["a b", "c"], disabled_tools: ["c"] }],
    ["load_tools off", { load_tools: false }],
  ])("lists exactly the tools that may be called, with %s", async (_, fields) => {
    const config = { ...server, ...fields };
    const tools = ["a b", "a-b", "c"].map((name) => tool(name));
    const listed = (await catalogueTools(config, tools)).entries.map(
      (entry) => entry.original_name,
    );
    expect(listed).toEqual(
      tools.map(({ name }) => name).filter((name) => toolAllowed(config, name).ok),
    );
  });

  it("renames no tool when another one is disabled or another server is there (case 48)", async () => {
    const tools = [tool("a b"), tool("a-b"), tool("c")];
    const [first] = await names(server, tools);
    expect(await names({ ...server, disabled_tools: ["a-b"] }, tools)).toEqual([first, "c"]);
    expect(await names({ ...server, name: "other" }, tools)).toEqual(await names(server, tools));
  });

  it("keeps the first of two definitions of one name and warns", async () => {
    const { entries, warnings } = await catalogueTools(server, [
      tool("a", { title: "first" }),
      tool("a", { title: "second" }),
    ]);
    expect(entries.map(({ title }) => title)).toEqual(["first"]);
    expect(warnings).toEqual([
      {
        code: "NAME_DUPLICATE",
        message: "'a' is listed more than once; the first definition is kept.",
      },
    ]);
  });

  it("leaves a bottomless definition out and keeps the others", async () => {
    const deep: Record<string, unknown> = JSON.parse(
      `${'{"not":'.repeat(50_000)}{}${"}".repeat(50_000)}`,
    );
    const { entries, warnings } = await catalogueTools(server, [
      tool("deep", { inputSchema: deep }),
      tool("a"),
    ]);
    expect(entries.map(({ name }) => name)).toEqual(["a"]);
    expect(warnings.map(({ code }) => code)).toEqual(["DEFINITION_TOO_DEEP"]);
  });
});

describe("cataloguePrompts", () => {
  it("gives prompts in a namespace of their own, filtered by prompt:NAME", async () => {
    const prompts = [
      { name: "sum up", title: "Sum up", arguments: [{ name: "text", required: true }] },
      { name: "secret" },
    ];
    const config = { ...server, disabled_tools: ["prompt:secret", "sum up"] };
    const { entries } = await cataloguePrompts(config, prompts);
    expect(entries).toEqual([
      {
        name: "sum-up",
        qualified_name: expect.stringMatching(/^fs__sum-up-[0-9a-f]{6}$/),
        server: "fs",
        original_name: "sum up",
        title: "Sum up",
        description: null,
        arguments: [{ name: "text", required: true }],
        meta: null,
      },
    ]);
    expect(cataloguePromptSchema.array().parse(entries)).toEqual(entries);
  });
});

describe("resources and templates", () => {
  it("are listed with what the server said, whatever the config says of tools", () => {
    const config = { ...server, load_tools: false, allowed_tools: [] };
    const resource = {
      uri: "file:///a",
      name: "a",
      mimeType: "text/plain",
      size: 3,
      _meta: { k: 1 },
    };
    const { entries } = catalogueResources(config, [resource]);
    expect(entries).toEqual([
      {
        uri: "file:///a",
        name: "a",
        server: "fs",
        title: null,
        description: null,
        mime_type: "text/plain",
        annotations: null,
        size: 3,
        meta: { k: 1 },
      },
    ]);
    expect(catalogueResourceSchema.array().parse(entries)).toEqual(entries);
    const templates = catalogueResourceTemplates(config, [{ uriTemplate: "f:{x}", name: "f" }]);
    expect(catalogueResourceTemplateSchema.array().parse(templates.entries)).toEqual([
      expect.objectContaining({ uri_template: "f:{x}", name: "f", server: "fs" }),
    ]);
  });

  it("are told apart by their URIs, not by their names", () => {
    const named = (uri: string) => ({ uri, name: "same" });
    const { entries, warnings } = catalogueResources(server, ["u:1", "u:2", "u:1"].map(named));
    expect(entries.map(({ uri }) => uri)).toEqual(["u:1", "u:2"]);
    expect(warnings.map(({ code }) => code)).toEqual(["NAME_DUPLICATE"]);
  });
});

describe("catalogueHash", () => {
  it("is the same for the same lists and differs with order or content", async () => {
    const hash = async (tools: readonly ToolDefinition[]): Promise<string> =>
      catalogueHash((await catalogueTools(server, tools)).entries);
    const once = await hash([tool("a"), tool("b")]);
    expect(once).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash([tool("a"), tool("b")])).toBe(once);
    expect(await hash([tool("b"), tool("a")])).not.toBe(once);
    expect(await hash([tool("a"), tool("b", { description: "x" })])).not.toBe(once);
  });
});
