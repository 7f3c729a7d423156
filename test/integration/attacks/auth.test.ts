import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import { runRequest } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";
import { authAttacks, type Stolen } from "./auth-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf } from "./walls.ts";

let edge: AttackedEdge;
let host: StartedHost;
let stolen: Stolen;
beforeAll(async () => {
  [edge, host] = await Promise.all([attackedEdge(), startHost()]);
  const { key } = edge;
  const forged = await makeApiKey("test", "k7f3");
  const unknown = await makeApiKey("test", "zzzz");
  stolen = { key, forged, unknown, hash: await sha256Hex(key) };
});
afterAll(() => host.dispose());

const routes = [
  ["POST", "/v1/validate"],
  ["POST", "/v1/convert"],
  ["POST", "/v1/tools/list"],
  ["POST", "/v1/tools/call"],
  ["POST", "/v1/resources/read"],
  ["DELETE", "/v1/sessions/x"],
] as const;

function headersOf({ authorization, headers }: (typeof authAttacks)[number]) {
  const credential = authorization(stolen);
  return {
    "content-type": "application/json",
    "x-request-id": "same-request",
    ...(credential === null ? {} : { authorization: credential }),
    ...headers?.(stolen),
  };
}

describe.each(authAttacks)("a request with $what", (attack) => {
  it.each(routes)("gets one and the same 401 from %s %s", async (method, path) => {
    const body = method === "POST" ? '{"tool":"t"}' : null;
    const url = `${path}${attack.query?.(stolen) ?? ""}`;
    const answer = await edge.send(url, { method, headers: headersOf(attack), body });
    const plain = await edge.send(path, {
      method,
      headers: { "x-request-id": "same-request" },
      body,
    });
    expect([answer.status, codeOf(answer)]).toEqual([401, "UNAUTHENTICATED"]);
    expect(answer.text).toBe(plain.text);
    expect(edge.left()).toEqual([]);
  });

  it("is let in by the host no more", async () => {
    const body = JSON.stringify(runRequest(null));
    const headers = headersOf(attack);
    for (const [method, path] of [
      ["POST", "/v1/run"],
      ["DELETE", "/v1/runs/x"],
    ] as const) {
      const init = { method, headers, ...(method === "POST" ? { body } : {}) };
      const answer = await fetch(`${host.url}${path}`, init);
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([answer.status, error.code]).toEqual([401, "TICKET_INVALID"]);
    }
  });
});

describe("a key that works", () => {
  const past = "2026-01-01T00:00:00Z";
  it.each<[string, Parameters<typeof attackedEdge>[0], number, string]>([
    ["is out of time", { keyFields: { expires: past } }, 401, "UNAUTHENTICATED"],
    ["is revoked", { env: { GANGWAY_REVOKED: '{"keys":["k7f3"]}' } }, 401, "UNAUTHENTICATED"],
    [
      "is of a revoked tenant",
      { env: { GANGWAY_REVOKED: '{"tenants":["acme"]}' } },
      401,
      "UNAUTHENTICATED",
    ],
    ["may only list", { keyFields: { scopes: ["discover"] } }, 403, "SCOPE_MISSING"],
    ["may send no configs", { keyFields: { scopes: ["call"] } }, 403, "SCOPE_MISSING"],
    ["may start nothing", { keyFields: { scopes: ["call", "submit"] } }, 403, "SCOPE_MISSING"],
    ["is for other servers", { keyFields: { servers: ["docs"] } }, 403, "SERVER_NOT_ALLOWED"],
  ])("and %s, starts nothing", async (_what, changes, status, code) => {
    const narrowed = await attackedEdge(changes);
    const config = { name: "a", type: "mcp", command: "npx", args: ["-y", "good@1.0.0"] };
    const answer = await narrowed.post("/v1/tools/call", { config, tool: "t" });
    expect([answer.status, codeOf(answer), narrowed.left()]).toEqual([status, code, []]);
  });

  it("and is honest, reaches the host", async () => {
    const config = { name: "a", type: "mcp", command: "npx", args: ["-y", "good@1.0.0"] };
    await edge.post("/v1/tools/call", { config, tool: "t" });
    expect(edge.left().join()).toContain("https://host.internal.example.com/v1/run");
  });
});
