import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type EverythingHttp,
  everythingProgram,
  startEverythingHttp,
} from "../support/everything-http.ts";
import { expectedBlocks, type RawBlock } from "../support/expected-blocks.ts";
import { type Gangway, startGangway } from "../support/gangway.ts";

let remote: EverythingHttp;
let gangway: Gangway;
let direct: { stdio: Client; http: Client };

beforeAll(async () => {
  remote = await startEverythingHttp();
  gangway = await startGangway({
    servers: [
      {
        name: "stdio",
        type: "mcp",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-everything@2026.8.31"],
      },
      { name: "http", type: "mcp", transport: "http", url: remote.url },
    ],
  });
  direct = { stdio: await directStdio(), http: await directHttp(remote.url) };
});

afterAll(async () => {
  await Promise.all([direct.stdio.close(), direct.http.close()]);
  await Promise.all([gangway.close(), remote.close()]);
});

async function directStdio(): Promise<Client> {
  const client = new Client({ name: "direct", version: "1.0.0" });
  const args = [everythingProgram, "stdio"];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
  );
  return client;
}

async function directHttp(url: string): Promise<Client> {
  const client = new Client({ name: "direct", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe.each(["stdio", "http"] as const)("server-everything over %s", (server) => {
  it("has 13 of 13 tools listed, each with the direct client's definition (case 49)", async () => {
    const { status, body } = await gangway.post("/v1/tools/list", { servers: [server] });
    expect(status).toBe(200);
    const { tools } = await direct[server].request({ method: "tools/list" }, ResultSchema);
    const expected = (tools as RawBlock[]).map((tool) => ({
      name: tool["name"],
      description: tool["description"],
      input_schema: tool["inputSchema"],
    }));
    expect(expected).toHaveLength(13);
    expect(body["tools"]).toEqual(expected.map((tool) => expect.objectContaining(tool)));
  });

  it.each([
    ["get-tiny-image", {}],
    ["get-structured-content", { location: "Chicago" }],
    ["get-annotated-message", { messageType: "error", includeImage: true }],
    ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
    ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
    ["get-resource-links", { count: 4 }],
    ["get-sum", { a: 2, b: 40 }],
  ])("answers %s %j with all that a direct client receives (cases 40, 42)", async (tool, args) => {
    const { status, body } = await gangway.post("/v1/tools/call", {
      server,
      tool,
      arguments: args,
    });
    const raw = await direct[server].request(
      { method: "tools/call", params: { name: tool, arguments: args } },
      ResultSchema,
    );
    expect(body).toMatchObject({ status: "ok", success: true });
    expect(status).toBe(200);
    const untimed = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "TIME"));
    const withoutTimedData = (blocks: unknown) => untimed(blocks).map(dropTimed);
    expect(withoutTimedData(body["content"])).toEqual(
      withoutTimedData(expectedBlocks(raw["content"] as RawBlock[])),
    );
    expect(body["structured_content"]).toEqual(raw["structuredContent"]);
  });
});

/** The resource tool writes the time of day into its resource, whose base64 and size then differ. */
function dropTimed(block: Record<string, unknown>): Record<string, unknown> {
  const { type, data, size } = block;
  if (type !== "binary" || typeof data !== "string") return block;
  const bytes = Buffer.from(data, "base64");
  const untimed = bytes.toString("utf8").replaceAll(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "TIME");
  return { ...block, data: untimed, size: size === bytes.length ? "ITS OWN" : size };
}
