import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { revocationsOf } from "../../../functions/edge/settings.ts";
import { makeApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import { deploymentSchema } from "../../../shared/config/deployment.ts";
import { kvEntries } from "../../../shared/config/kv-entries.ts";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";

const { TENANTS: kv } = env as { readonly TENANTS: KVNamespace };

const server = {
  name: "docs",
  type: "mcp",
  transport: "http",
  url: "https://docs.example.com/mcp",
};

/** Puts one tenant and its key into KV, as a build does; answers the key. */
async function putTenant(
  id: string,
  keyId: string,
  fields: Record<string, unknown> = {},
  keyFields: Record<string, unknown> = {},
): Promise<string> {
  const key = await makeApiKey("test", keyId);
  const sha256 = await sha256Hex(key);
  const keys = [{ id: keyId, sha256, scopes: ["discover", "call", "submit"], ...keyFields }];
  const tenants = [{ id, keys, mcp_servers: [server], ...fields }];
  const deployment = deploymentSchema.parse({ mode: "production", version: "1.0", tenants });
  for (const entry of kvEntries(deployment)) await kv.put(entry.key, entry.value);
  return key;
}

/** An edge with the namespace, whose upstream answers 401: a call that gets there is told so. */
async function edgeWith(options: EdgeOptions = {}) {
  let now = Date.now();
  const edge = await testEdge({
    ...options,
    env: { GANGWAY_TENANTS: kv, ...options.env },
    clock: () => now,
    deps: { fetch: async () => new Response(null, { status: 401 }), ...options.deps },
  });
  async function call(key: string, body: unknown = { server: "docs", tool: "t" }) {
    const response = await edge.request("/v1/tools/call", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { error } = await response.json<{ error?: { code: string } }>();
    return error?.code ?? "ok";
  }
  return { edge, call, pass: (ms: number) => void (now += ms) };
}

beforeEach(async () => {
  const { keys } = await kv.list();
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
});

describe("tenants in KV", () => {
  it("are let in by their keys, and use their servers", async () => {
    const key = await putTenant("initech", "in1tech");
    const { call } = await edgeWith();
    expect(await call(key)).toBe("UPSTREAM_UNAUTHORIZED");
    expect(await call(key, { server: "other", tool: "t" })).toBe("SERVER_NOT_FOUND");
  });

  it("are held to their own policy, scopes and narrowing", async () => {
    const key = await putTenant(
      "initech",
      "in1tech",
      { policy: { hosts: ["mcp.linear.app"] } },
      { tools: ["read_*"] },
    );
    const wide = await putTenant("hooli", "h00li", { policy: { hosts: ["mcp.linear.app"] } });
    const { call } = await edgeWith();
    const config = { ...server, url: "https://mcp.linear.app/mcp" };
    expect(await call(key)).toBe("TOOL_NOT_ALLOWED");
    expect(await call(key, { server: "docs", tool: "read_x" })).toBe("UPSTREAM_UNAUTHORIZED");
    expect(await call(wide, { config, tool: "t" })).toBe("UPSTREAM_UNAUTHORIZED");
    expect(await call(wide, { config: server, tool: "t" })).toBe("SERVER_NOT_ALLOWED");
  });

  it("stand beside those of the file, which win where both have a name", async () => {
    const { edge, call } = await edgeWith({ tenantServers: [{ ...server, name: "own" }] });
    expect(await call(edge.key, { server: "own", tool: "t" })).toBe("UPSTREAM_UNAUTHORIZED");
    const key = await putTenant("acme", "k7f3");
    expect(await call(key)).toBe("UNAUTHENTICATED");
  });

  it("get one 401 for an unknown key, a wrong, an expired one, and one of no tenant", async () => {
    const known = await putTenant("initech", "in1tech");
    const wrong = await makeApiKey("test", "in1tech");
    const unknown = await makeApiKey("test", "nobody");
    const expired = await putTenant("hooli", "h00li", {}, { expires: "2020-01-01" });
    const orphan = await putTenant("gone", "g0ne");
    await kv.delete("tenant:gone");
    const { edge, call } = await edgeWith();
    for (const key of [wrong, unknown, expired, orphan]) {
      expect(await call(key)).toBe("UNAUTHENTICATED");
      const response = await edge.request("/v1/tools/call", {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: "{}",
      });
      expect(response.status).toBe(401);
    }
    expect(await call(known)).toBe("UPSTREAM_UNAUTHORIZED");
  });

  it("are taken out of use by GANGWAY_REVOKED at once, kept or not", async () => {
    const key = await putTenant("initech", "in1tech");
    const other = await putTenant("hooli", "h00li");
    const revoked: { text?: string } = {};
    const { call } = await edgeWith({ deps: { revocations: revocationsOf(() => revoked.text) } });
    expect([await call(key), await call(other)]).toEqual(Array(2).fill("UPSTREAM_UNAUTHORIZED"));
    revoked.text = '{"keys": ["in1tech"], "tenants": ["hooli"]}';
    expect([await call(key), await call(other)]).toEqual(Array(2).fill("UNAUTHENTICATED"));
  });

  it("are read anew after half a minute, and a missing key after ten seconds", async () => {
    const key = await putTenant("initech", "in1tech");
    const late = await makeApiKey("test", "la7e");
    const { call, pass } = await edgeWith();
    expect([await call(key), await call(late)]).toEqual([
      "UPSTREAM_UNAUTHORIZED",
      "UNAUTHENTICATED",
    ]);
    await kv.delete("key:in1tech");
    const entry = {
      id: "la7e",
      tenant: "initech",
      sha256: await sha256Hex(late),
      scopes: ["call"],
    };
    await kv.put("key:la7e", JSON.stringify(entry));
    pass(9_000);
    expect([await call(key), await call(late)]).toEqual([
      "UPSTREAM_UNAUTHORIZED",
      "UNAUTHENTICATED",
    ]);
    pass(2_000);
    expect([await call(key), await call(late)]).toEqual(Array(2).fill("UPSTREAM_UNAUTHORIZED"));
    pass(20_000);
    expect([await call(key), await call(late)]).toEqual([
      "UNAUTHENTICATED",
      "UPSTREAM_UNAUTHORIZED",
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["another form", '{"id": "in1tech"}'],
    ["another key's entry", JSON.stringify({ id: "k7f3", tenant: "initech" })],
  ])("are not guessed at where an entry is %s", async (_, text) => {
    const key = await putTenant("initech", "in1tech");
    await kv.put("key:in1tech", text);
    const { call } = await edgeWith();
    expect(await call(key)).toBe("NOT_READY");
  });

  it("are not ready while KV cannot be read, the file's tenants are", async () => {
    const key = await putTenant("initech", "in1tech");
    const broken = { get: () => Promise.reject(new TypeError("KV is away")) };
    const { edge, call } = await edgeWith({
      env: { GANGWAY_TENANTS: broken },
      tenantServers: [server],
    });
    expect(await call(key)).toBe("NOT_READY");
    expect(await call(edge.key)).toBe("UPSTREAM_UNAUTHORIZED");
  });

  it("are told as a problem where the binding is no namespace", async () => {
    const { edge } = await edgeWith({ env: { GANGWAY_TENANTS: "text" } });
    const response = await edge.request("/ready");
    expect(await response.json()).toMatchObject({
      ready: false,
      problems: [expect.stringContaining("GANGWAY_TENANTS")],
    });
  });
});
