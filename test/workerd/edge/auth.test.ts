import { describe, expect, it } from "vitest";
import { makeApiKey } from "../../../shared/api/api-key.ts";
import { testEdge } from "../support/edge-app.ts";

const list = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };

async function refusal(authorization: string | null, now?: number, expires?: string) {
  const edge = await testEdge({
    ...(now === undefined ? {} : { now }),
    ...(expires === undefined ? {} : { expires }),
  });
  const response = await edge.request("/v1/tools/list", {
    ...list,
    headers: {
      ...list.headers,
      authorization: authorization ?? "",
      "x-request-id": "same-request",
    },
  });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    body: await response.text(),
  };
}

describe("API keys", () => {
  it("lets a current key in", async () => {
    const edge = await testEdge();
    expect((await edge.request("/v1/tools/list", list)).status).toBe(200);
  });

  it("answers every kind of bad key with one and the same 401 body", async () => {
    const edge = await testEdge();
    const otherSecret = await makeApiKey("test", "k7f3");
    const otherId = await makeApiKey("test", "zzzz");
    const refusals = await Promise.all([
      refusal(null),
      refusal("Basic dXNlcjpwYXNz"),
      refusal("Bearer"),
      refusal("Bearer not-a-key"),
      refusal(`Bearer ${otherSecret}`),
      refusal(`Bearer ${otherId}`),
      refusal(`Bearer ${edge.key.slice(0, -1)}`),
      refusal(`Bearer ${edge.key} x`),
    ]);
    expect(new Set(refusals.map(({ body }) => body)).size).toBe(1);
    for (const { status, challenge } of refusals) {
      expect({ status, challenge }).toEqual({ status: 401, challenge: "Bearer" });
    }
    expect(JSON.parse(refusals[0]?.body ?? "")).toMatchObject({
      success: false,
      error: { type: "AuthError", code: "UNAUTHENTICATED", executed: "no", retryable: false },
      metadata: { request_id: "same-request" },
    });
  });

  it("refuses a key from the moment that it expires", async () => {
    const expires = "2026-12-01T00:00:00Z";
    const at = Date.parse(expires);
    const before = await testEdge({ expires, now: at - 1 });
    const after = await testEdge({ expires, now: at });
    expect((await before.request("/v1/tools/list", list)).status).toBe(200);
    expect((await after.request("/v1/tools/list", list)).status).toBe(401);
  });

  it.each([
    ["/v1/tools/list", {}, "discover"],
    ["/v1/tools/call", { tool: "echo" }, "call"],
    ["/v1/validate", { files: [{ path: "agent.yaml", text: "tools: []" }] }, "validate"],
  ])("refuses %s without the scope that it needs", async (path, body, scope) => {
    const edge = await testEdge({ scopes: ["registry"] });
    const answer = await edge.post(path, body);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      error: { code: "SCOPE_MISSING", executed: "no", details: { scope } },
    });
  });

  it("refuses a submitted config without the scope submit", async () => {
    const edge = await testEdge({ scopes: ["discover", "call"] });
    const config = { tools: [] };
    const answer = await edge.post("/v1/tools/list", { config });
    expect(answer.body).toMatchObject({
      error: { code: "SCOPE_MISSING", details: { scope: "submit" } },
    });
  });

  it("refuses a submitted stdio server without the scope submit:stdio", async () => {
    const edge = await testEdge({ mode: "development", scopes: ["call", "submit"] });
    const config = {
      name: "files",
      type: "mcp",
      description: "d",
      command: "npx",
      args: ["-y", "pkg@1.0.0"],
    };
    const answer = await edge.post("/v1/tools/call", { config, tool: "echo" });
    expect(answer.body).toMatchObject({
      error: { code: "SCOPE_MISSING", details: { scope: "submit:stdio" } },
    });
  });

  it("answers loopback Hosts only in development (case 55)", async () => {
    const edge = await testEdge({ mode: "development" });
    const other = await edge.request("http://rebound.example.com:8787/health");
    expect(other.status).toBe(403);
    expect(await other.json()).toMatchObject({ error: { code: "HOST_NOT_ALLOWED" } });
    expect((await edge.request("http://localhost:8787/health")).status).toBe(200);
    expect((await edge.request("http://[::1]:8787/health")).status).toBe(200);
  });
});
