import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { testEdge } from "../support/edge-app.ts";

const server = { name: "a", type: "mcp", transport: "http", url: "https://a.example.com/mcp" };

/** An edge whose tenant is counted by the real Durable Object, under an id of its own. */
async function limitedEdge(id: string, limits: object, isolates = 1) {
  const edges = [];
  for (let i = 0; i < isolates; i += 1) {
    edges.push(
      await testEdge({
        tenantServers: [server],
        tenant: { id, limits },
        env: { ...env },
        deps: { fetch: async () => new Response(null, { status: 401 }) },
      }),
    );
  }
  return edges;
}

const call = { server: "a", tool: "t" };

async function statuses(edge: Awaited<ReturnType<typeof testEdge>>, times: number) {
  const found: number[] = [];
  for (let i = 0; i < times; i += 1) found.push((await edge.post("/v1/tools/call", call)).status);
  return found;
}

describe("the budget of a tenant", () => {
  it("is one for all isolates, and its end is told by 429 and retry-after", async () => {
    const [first, second] = await limitedEdge("shared-budget", { calls_per_day: 5 }, 2);
    if (first === undefined || second === undefined) throw new TypeError("no edge");
    const all = [...(await statuses(first, 3)), ...(await statuses(second, 4))];
    expect(all).toEqual([502, 502, 502, 502, 502, 429, 429]);
    const response = await second.request("/v1/tools/call", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(call),
    });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      error: { type: "LimitError", code: "BUDGET_EXHAUSTED", retryable: true, executed: "no" },
    });
  });

  it("counts every call of a request, and lists", async () => {
    const [edge] = await limitedEdge("counted-calls", { calls_per_day: 4 });
    if (edge === undefined) throw new TypeError("no edge");
    expect((await edge.post("/v1/tools/list", {})).status).toBe(200);
    expect((await edge.post("/v1/tools/call", { calls: [call, call, call] })).status).toBe(200);
    expect((await edge.post("/v1/tools/list", {})).status).toBe(429);
  });

  it("is no other tenant's", async () => {
    const [first] = await limitedEdge("tenant-one", { calls_per_day: 1 });
    const [second] = await limitedEdge("tenant-two", { calls_per_day: 1 });
    if (first === undefined || second === undefined) throw new TypeError("no edge");
    expect(await statuses(first, 2)).toEqual([502, 429]);
    expect(await statuses(second, 1)).toEqual([502]);
  });

  it("is not lifted where nothing counts, which /ready tells", async () => {
    const edge = await testEdge({
      tenantServers: [server],
      tenant: { limits: { calls_per_day: 1 } },
    });
    expect((await edge.post("/v1/tools/call", call)).status).toBe(503);
    const ready = await edge.request("/ready");
    expect(await ready.json()).toMatchObject({
      ready: false,
      problems: [expect.stringContaining("GANGWAY_BUDGETS")],
    });
  });
});
