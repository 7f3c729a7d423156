import { describe, expect, it } from "vitest";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";
import { upstream } from "../support/upstream.ts";

const remote = {
  name: "docs",
  type: "mcp",
  transport: "http",
  protocol: "legacy",
  url: "https://docs.example.com/mcp",
};
const done = { result: { content: [{ type: "text", text: "done" }] } };

interface Metadata {
  readonly timings_ms: Readonly<Record<string, number>>;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

function metadataOf(answer: unknown): Metadata {
  return (answer as { metadata: Metadata }).metadata;
}

describe("the timings of one call among several", () => {
  it("are those of the call, and the header tells the longest of each stage", async () => {
    let now = 1_000_000;
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const server = upstream(() => done);
    let waiting = 0;
    const edge = await testEdge({
      tenantServers: [remote],
      deps: {
        clock: () => now,
        fetch: async (input, init) => {
          const { body } = init ?? {};
          if (typeof body === "string" && body.includes("tools/call")) {
            waiting += 1;
            const gate = gates[waiting - 1];
            // All three wait at once; one after the other they are let go, 100 ms apart.
            if (waiting === 3) for (const each of gates) each.resolve();
            await gate?.promise;
            now += 100;
          }
          return server.fetch(input, init);
        },
      },
    });
    const response = await edge.request("/v1/tools/call", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ calls: ["a", "b", "c"].map((tool) => ({ tool })) }),
    });
    const { results } = await response.json<{ results: unknown[] }>();
    const runs = results.map((result) => metadataOf(result).timings_ms["run"] ?? Number.NaN);
    expect(Math.max(...runs)).toBe(300);
    expect(response.headers.get("server-timing")).toContain("run;dur=300");
  });
});

describe("a stored secret of fewer than 8 characters in development", () => {
  const needy = { ...remote, headers: { a: "${SHORT}", b: "${SHORT}", c: "${LONG}" } };
  const options: EdgeOptions = {
    mode: "development",
    tenantServers: [needy],
    env: { GW_SECRET_SHORT: "abc", GW_SECRET_LONG: "long-enough-value" },
    deps: {
      fetch: upstream((method) => (method === "tools/list" ? { result: { tools: [] } } : done))
        .fetch,
    },
  };
  const warning = {
    code: "SECRET_TOO_SHORT_TO_MASK",
    message: expect.stringMatching(/fewer than 8 characters.*: 'SHORT'\.$/),
  };

  it("is told once in the result's warnings, by its name", async () => {
    const { body } = await (await testEdge(options)).post("/v1/tools/call", { tool: "t" });
    expect(metadataOf(body).warnings).toEqual([warning]);
  });

  it("is told of the server in a list", async () => {
    const { body } = await (await testEdge(options)).post("/v1/tools/list", {});
    expect(body["servers"]).toMatchObject([{ ok: true, warnings: [warning] }]);
  });

  it("is not told of one that is long enough", async () => {
    const env = { GW_SECRET_SHORT: "8-chars!", GW_SECRET_LONG: "long-enough-value" };
    const { body } = await (
      await testEdge({ ...options, env })
    ).post("/v1/tools/call", {
      tool: "t",
    });
    expect(metadataOf(body).warnings).toEqual([]);
  });
});

describe("reading a resource that the server refuses as wrong arguments", () => {
  const resources = [{ uri: "file:///a.txt", name: "a" }];
  const resourceTemplates = [{ uriTemplate: "file:///notes/{id}", name: "notes" }];

  async function read(uri: string, lists: { readonly broken?: boolean } = {}) {
    const server = upstream((method) => {
      if (method === "resources/read") return { error: { code: -32602, message: "bad params" } };
      if (method === "resources/list")
        return lists.broken === true
          ? { error: { code: -32603, message: "broken" } }
          : { result: { resources } };
      return method === "resources/templates/list" ? { result: { resourceTemplates } } : undefined;
    });
    const edge = await testEdge({ tenantServers: [remote], deps: { fetch: server.fetch } });
    return edge.post("/v1/resources/read", { uri });
  }

  it("tells one that neither list has as not found, with the server's own words", async () => {
    expect(await read("file:///b.txt")).toMatchObject({
      status: 404,
      body: {
        error: {
          code: "RESOURCE_NOT_FOUND",
          message: "Resource 'file:///b.txt' not found on server 'docs'.",
          server: "docs",
          details: { uri: "file:///b.txt", rpc_code: -32602, rpc_message: "bad params" },
        },
      },
    });
  });

  it.each([
    ["one that is listed", "file:///a.txt", {}],
    ["one that a template may make", "file:///notes/7", {}],
    ["any while the list cannot be had", "file:///b.txt", { broken: true }],
  ])("leaves the server's answer for %s, with a hint on URIs", async (_, uri, lists) => {
    expect(await read(uri, lists)).toMatchObject({
      status: 422,
      body: { error: { code: "INVALID_PARAMS", hint: expect.stringContaining("/v1/resources/") } },
    });
  });
});

describe("a tool by its name", () => {
  const tools = ["echo", "get-sum", "hidden_sum"].map((name) => ({
    name,
    inputSchema: { type: "object" },
  }));
  const answer = (method: string, params: Readonly<Record<string, unknown>>) => {
    if (method === "tools/list") return { result: { tools } };
    return tools.some(({ name }) => name === params["name"])
      ? { result: { content: [{ type: "text", text: `ran ${String(params["name"])}` }] } }
      : { error: { code: -32602, message: "unknown" } };
  };
  const edge = () =>
    testEdge({
      tenantServers: [
        { ...remote, disabled_tools: ["hidden_sum"] },
        { ...remote, name: "other" },
      ],
      deps: { fetch: upstream(answer).fetch },
    });

  it("finds its server by the qualified name", async () => {
    const { status, body } = await (await edge()).post("/v1/tools/call", { tool: "docs__echo" });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { content: [{ text: "ran echo" }], metadata: { server: "docs", tool: "echo" } },
    });
  });

  it("needs a server where the name is of none", async () => {
    const { body } = await (await edge()).post("/v1/tools/call", { tool: "nobody__echo" });
    expect(body).toMatchObject({ error: { code: "SERVER_AMBIGUOUS" } });
  });

  it("that is not there is told with those that may have been meant, of the listed ones", async () => {
    const { body } = await (await edge()).post("/v1/tools/call", { server: "docs", tool: "sum" });
    expect(body).toMatchObject({
      error: {
        code: "TOOL_NOT_FOUND",
        hint: expect.stringMatching(/^Did you mean 'get-sum'\? POST /),
        details: { tool: "sum", nearest: ["get-sum"] },
      },
    });
  });
});
