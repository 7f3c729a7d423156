import { describe, expect, it } from "vitest";
import { McpSession } from "../../../../shared/mcp/session.ts";
import { type Script, ScriptedTransport } from "./scripted-transport.ts";

const limits = { timeoutMs: 2_000 };
const schemaWith = (header: string) => ({
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": header } },
});
const good = { name: "good", inputSchema: schemaWith("Region") };
const bad = { name: "bad", inputSchema: schemaWith("my region") };

const script: Script = ({ method }) => {
  if (method === "server/discover") {
    const serverInfo = { name: "s", version: "1" };
    const supportedVersions = ["2026-07-28"];
    return { result: { resultType: "complete", supportedVersions, capabilities: {}, serverInfo } };
  }
  if (method === "tools/list") return { result: { resultType: "complete", tools: [bad, good] } };
  return method === "tools/call" ? { result: { resultType: "complete", content: [] } } : undefined;
};

function open(perRequestStream: boolean) {
  const transport = new ScriptedTransport(script, perRequestStream);
  const session = new McpSession({
    name: "scripted",
    target: "https://scripted.example",
    protocol: "auto",
    connectTimeoutMs: 1_000,
    openTransport: () => transport,
  });
  return { session, transport };
}

const paramHeaders = (transport: ScriptedTransport) =>
  transport.headers.map((headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^mcp-param-/i.test(name))),
  );

describe("a session of revision 2026-07-28 over streamable HTTP", () => {
  it("offers no tool whose arguments it could not mirror in headers", async () => {
    const { session } = open(true);
    const { items, warnings } = await session.listTools(limits);
    expect(items).toEqual([good]);
    expect(warnings.map(({ code }) => code)).toEqual(["HEADER_MARK_INVALID"]);
    await session.disconnect();
  });

  it("mirrors arguments of a tool that is known from an earlier list", async () => {
    const { session, transport } = open(true);
    await session.callTool("good", { region: "eu" }, { ...limits, knownTool: good });
    expect(transport.count("tools/list")).toBe(0);
    expect(paramHeaders(transport).at(-1)).toEqual({ "Mcp-Param-Region": "eu" });
    await session.disconnect();
  });

  it("prefers the list of this session to an earlier one", async () => {
    const stale = { name: "good", inputSchema: schemaWith("Zone") };
    const { session, transport } = open(true);
    await session.listTools(limits);
    await session.callTool("good", { region: "eu" }, { ...limits, knownTool: stale });
    expect(paramHeaders(transport).at(-1)).toEqual({ "Mcp-Param-Region": "eu" });
    await session.disconnect();
  });
});

describe("a session over another transport", () => {
  it("offers every tool and mirrors nothing", async () => {
    const { session, transport } = open(false);
    expect((await session.listTools(limits)).items).toEqual([bad, good]);
    await session.callTool("good", { region: "eu" }, { ...limits, knownTool: good });
    expect(paramHeaders(transport).every((headers) => Object.keys(headers).length === 0)).toBe(
      true,
    );
    await session.disconnect();
  });
});
