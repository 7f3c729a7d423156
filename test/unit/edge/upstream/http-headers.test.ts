import { describe, expect, it } from "vitest";
import { messageHeaders } from "../../../../functions/edge/upstream/http-headers.ts";

const state = {
  headers: { authorization: "Bearer t", "x-api-key": "k" },
  sessionId: "s",
  protocolVersion: "2025-11-25",
};
const version = "io.modelcontextprotocol/protocolVersion";

function modern(method: string, params: Record<string, unknown>) {
  const _meta = { [version]: "2026-07-28" };
  return { jsonrpc: "2.0" as const, id: 1, method, params: { ...params, _meta } };
}

describe("messageHeaders", () => {
  it("adds session and version to the configured headers", () => {
    const headers = messageHeaders({ jsonrpc: "2.0", id: 1, method: "tools/list" }, state);
    expect(Object.fromEntries(headers)).toEqual({
      accept: "application/json, text/event-stream",
      authorization: "Bearer t",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
      "mcp-session-id": "s",
      "x-api-key": "k",
    });
  });

  it("does not send a session with the request that opens one", () => {
    const headers = messageHeaders({ jsonrpc: "2.0", id: 1, method: "initialize" }, state);
    expect(headers.has("mcp-session-id")).toBe(false);
  });

  it.each([
    ["tools/call", { name: "echo" }, "echo"],
    ["prompts/get", { name: "greet me" }, "greet me"],
    ["resources/read", { uri: "file:///a" }, "file:///a"],
    ["tools/call", { name: "größe" }, "=?base64?Z3LDtsOfZQ==?="],
    ["tools/call", { name: " padded" }, "=?base64?IHBhZGRlZA==?="],
    ["tools/call", { name: "a\r\nx-evil: 1" }, "=?base64?YQ0KeC1ldmlsOiAx?="],
    ["tools/call", { name: "=?base64?eA==?=" }, "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
    ["tools/call", { name: "" }, "=?base64??="],
    ["tools/list", { name: "no" }, null],
    ["tools/call", { name: 7 }, null],
  ])("mirrors version, method and name of a modern %s with %j", (method, params, name) => {
    const headers = messageHeaders(modern(method, params), state);
    expect(headers.get("mcp-protocol-version")).toBe("2026-07-28");
    expect(headers.get("mcp-method")).toBe(method);
    expect(headers.get("mcp-name")).toBe(name);
  });

  it("lets a message add parameter headers alone", () => {
    const extra = { "Mcp-Param-Region": "eu", authorization: "Bearer evil" };
    const headers = messageHeaders(modern("tools/call", { name: "a" }), state, extra);
    expect(headers.get("mcp-param-region")).toBe("eu");
    expect(headers.get("authorization")).toBe("Bearer t");
  });
});
