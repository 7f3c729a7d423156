import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListToolsResultSchema, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogueTools } from "../../../shared/catalogue/catalogue.ts";
import type { CallMetadata, CallResult } from "../../../shared/content/call-result.ts";
import { isJsonObject } from "../../../shared/mcp/json.ts";
import { toCallResult } from "../../../shared/content/to-call-result.ts";

const client = new Client({ name: "gangway-test", version: "1.0.0" });

beforeAll(async () => {
  const args = [
    fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js")),
    "stdio",
  ];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
  );
});
afterAll(() => client.close());

const metadata: CallMetadata = {
  request_id: "r",
  server: "everything",
  tool: "tool",
  source: "tenant",
  transport: "stdio",
  protocol_version: null,
  era: "legacy",
  duration_ms: 0,
  timings_ms: {},
  upstream_requests: 0,
  warm: true,
  session: null,
  masked: 0,
  truncated: [],
  warnings: [],
};

interface Answers {
  /** What a direct client receives, unparsed. */
  readonly raw: { readonly [key: string]: unknown };
  readonly blocks: readonly Record<string, unknown>[];
  readonly result: CallResult;
}

/** Calls the tool as a direct client and gives its answer beside ours. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<Answers> {
  const raw = await client.request(
    { method: "tools/call", params: { name, arguments: args } },
    ResultSchema,
  );
  const blocks = Array.isArray(raw.content) ? raw.content : [];
  return { raw, blocks, result: toCallResult(raw, metadata) };
}

async function callForResource(resourceType: "Text" | "Blob") {
  const { blocks, result } = await call("get-resource-reference", { resourceType, resourceId: 1 });
  const raw = blocks.map((block) => block.resource).find(isJsonObject) ?? {};
  return { raw, binary: result.content.find((block) => block.type === "binary") };
}

describe("results of the real server-everything", () => {
  it("keep text", async () => {
    const { result } = await call("echo", { message: "Grüße 😀" });
    expect(result.content).toEqual([{ type: "text", text: "Echo: Grüße 😀" }]);
    expect(result).toMatchObject({ success: true, status: "ok", metadata: { warnings: [] } });
  });

  it("keep an image byte for byte, between its texts (case 40)", async () => {
    const { blocks, result } = await call("get-tiny-image");
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
    const [, image] = result.content;
    const data = image?.type === "image" ? image.data : "";
    expect(data).toBe(blocks[1]?.data);
    expect(Buffer.from(data, "base64").subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(image).toMatchObject({ mime_type: "image/png" });
  });

  it("keep structured content beside its text (case 40)", async () => {
    const { raw, blocks, result } = await call("get-structured-content", { location: "New York" });
    expect(raw.structuredContent).toHaveProperty("temperature");
    expect(JSON.stringify(result.structured_content)).toBe(JSON.stringify(raw.structuredContent));
    expect(result.content).toEqual([{ type: "text", text: blocks[0]?.text }]);
  });

  it("keep annotations of text and image", async () => {
    const args = { messageType: "success", includeImage: true };
    const { blocks, result } = await call("get-annotated-message", args);
    expect(result.content).toHaveLength(2);
    expect(result.content.map(({ annotations }) => annotations)).toEqual(
      blocks.map(({ annotations }) => annotations),
    );
    expect(result.content[1]).toMatchObject({
      type: "image",
      data: blocks[1]?.data,
      annotations: { priority: 0.5, audience: ["user"] },
    });
  });

  it("keep uri, type, text and bytes of an embedded text resource (case 42)", async () => {
    const { raw, binary } = await callForResource("Text");
    const { uri, mimeType, text } = raw;
    expect(uri).toMatch(/^demo:/);
    expect(binary).toMatchObject({ type: "binary", uri, mime_type: mimeType, text });
    expect(Buffer.from(binary?.data ?? "", "base64").toString("utf8")).toBe(text);
  });

  it("keep uri, type and bytes of an embedded blob (case 42)", async () => {
    const { raw, binary } = await callForResource("Blob");
    const { uri, mimeType, blob } = raw;
    expect(uri).toMatch(/^demo:/);
    expect(binary).toMatchObject({ type: "binary", uri, mime_type: mimeType, data: blob });
    expect(binary).not.toHaveProperty("text");
  });

  it("keep every resource link with all that it says (case 42)", async () => {
    const { blocks, result } = await call("get-resource-links", { count: 4 });
    const links = blocks.filter(({ type }) => type === "resource_link");
    expect(links).toHaveLength(4);
    expect(result.content.slice(1)).toEqual(
      links.map(({ uri, mimeType, name, description }) => ({
        type: "binary",
        uri,
        mime_type: mimeType,
        data: null,
        name,
        description,
      })),
    );
  });

  it("tell a refused argument as a tool error with its text (case 41)", async () => {
    const { raw, blocks, result } = await call("get-sum", { a: "x", b: 1 });
    expect(raw.isError).toBe(true);
    expect(result).toMatchObject({ success: false, status: "tool_error" });
    expect(result.content).toEqual([{ type: "text", text: blocks[0]?.text }]);
    expect(String(blocks[0]?.text).startsWith(result.error?.message.slice(0, 100) ?? "?")).toBe(
      true,
    );
  });

  it("fill a catalogue that holds each tool under its own name with its own schema", async () => {
    const { tools } = await client.request({ method: "tools/list" }, ListToolsResultSchema);
    const config = { name: "everything", load_tools: true, load_prompts: true, disabled_tools: [] };
    const { entries, warnings } = await catalogueTools(config, JSON.parse(JSON.stringify(tools)));
    expect(warnings).toEqual([]);
    expect(entries).toHaveLength(13);
    expect(
      entries.map(({ name, qualified_name, input_schema }) => [
        name,
        qualified_name,
        JSON.stringify(input_schema),
      ]),
    ).toEqual(
      tools.map(({ name, inputSchema }) => [
        name,
        `everything__${name}`,
        JSON.stringify(inputSchema),
      ]),
    );
  });
});
