import { beforeAll, describe, expect, it } from "vitest";
import { urlAttacks } from "./url-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, findingsOf } from "./walls.ts";

let edge: AttackedEdge;
beforeAll(async () => {
  edge = await attackedEdge();
});

describe.each(urlAttacks)("a URL at $what ($url)", ({ url, rule }) => {
  const config = { name: "a", type: "mcp", description: "d", transport: "http", url };
  const isUnlisted = rule === "GW311" && !url.includes("gateway.example.net");

  it("is refused by the validator", async () => {
    const findings = await findingsOf(edge, { text: JSON.stringify({ tools: [config] }) });
    expect(findings).toContainEqual(expect.objectContaining({ id: rule, severity: "error" }));
  });

  it.each(["http", "sse", "websocket"])("is refused in a call over %s", async (transport) => {
    const written = transport === "websocket" ? url.replace(/^http/, "ws") : url;
    const server = { ...config, transport, url: written, headers: { a: "${PRIZE}" } };
    const answer = await edge.post("/v1/tools/call", { config: server, tool: "t" });
    expect(codeOf(answer)).toMatch(/^(?:URL|SERVER)_NOT_ALLOWED$|^CONFIG_INVALID$/);
    expect(edge.left()).toEqual([]);
  });

  it("is refused by the operation path alone", () => {
    const code = isUnlisted ? "SERVER_NOT_ALLOWED" : "URL_NOT_ALLOWED";
    expect(edge.guardCode(config)).toBe(code);
    if (!isUnlisted) expect(edge.guardCode(config, "tenant")).toBe(code);
  });

  it("is refused at use, when an allowed server leads there", async () => {
    const code = isUnlisted ? "SECRET_DESTINATION_NOT_ALLOWED" : "URL_NOT_ALLOWED";
    expect([await edge.codeOfLearned(url), edge.left()]).toEqual([code, []]);
  });
});

describe("the same walls", () => {
  it("let an honest URL pass", async () => {
    const config = { name: "a", type: "mcp", description: "d", transport: "http" };
    const server = { ...config, url: "https://mcp.example.com/mcp", headers: { a: "${PRIZE}" } };
    const text = JSON.stringify({ tools: [server] });
    expect((await findingsOf(edge, { text })).filter((f) => f.severity === "error")).toEqual([]);
    expect(edge.guardCode(server)).toBe("passed");
    expect(await edge.codeOfLearned("https://mcp.example.com/messages")).toBe("passed");
    edge.left();
    await edge.post("/v1/tools/call", { config: server, tool: "t" });
    expect(edge.left().join()).toContain("the-stored-prize-value");
  });
});
