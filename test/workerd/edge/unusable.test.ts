import { describe, expect, it } from "vitest";
import { readConfig } from "../../../shared/config/read-config.ts";
import { testEdge } from "../support/edge-app.ts";
import { upstream } from "../support/upstream.ts";

const remote = {
  type: "mcp",
  description: "d",
  transport: "http",
  protocol: "legacy",
  url: "https://docs.example.com/mcp",
};
const entries = [
  { name: "shell", type: "mcp", description: "d", command: "bash", args: ["-c", "id"] },
  { ...remote, name: "slow", request_timeout: 0 },
  { name: "lost", type: "mcp", description: "d", transport: "http" },
];
const unusable = readConfig({ value: { tools: entries } }).servers.map(({ name, findings }) => ({
  name,
  findings,
}));

const tools = { result: { tools: [{ name: "t", inputSchema: { type: "object" } }] } };

function edge() {
  return testEdge({
    tenantServers: [{ ...remote, name: "good" }],
    tenant: { unusable },
    deps: { fetch: upstream((method) => (method === "tools/list" ? tools : undefined)).fetch },
  });
}

describe("a configured server whose entry has errors", () => {
  it.each([
    ["shell", "COMMAND_NOT_ALLOWED", 422],
    ["slow", "CONFIG_INVALID", 422],
    ["lost", "TRANSPORT_FIELD_MISSING", 422],
  ])("answers a call with the code of its finding (%s: %s)", async (server, code, http) => {
    const { status, body } = await (await edge()).post("/v1/tools/call", { server, tool: "t" });
    expect({ status, body }).toMatchObject({
      status: http,
      body: { error: { code, server, details: { findings: [{ severity: "error" }] } } },
    });
  });

  it("is told in lists, and does not spoil the others", async () => {
    const { status, body } = await (await edge()).post("/v1/tools/list", {});
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        tools: [{ name: "t", server: "good" }],
        servers: [
          { name: "good", ok: true },
          { name: "shell", source: "tenant", ok: false, error: { code: "COMMAND_NOT_ALLOWED" } },
          { name: "slow", ok: false },
          { name: "lost", ok: false },
        ],
      },
    });
  });

  it("is not what the deep readiness check calls", async () => {
    const probed = await testEdge({
      deployment: { unusable },
      tenantServers: [{ ...remote, name: "good" }],
      deps: { fetch: upstream((method) => (method === "tools/list" ? tools : undefined)).fetch },
    });
    const ready = await (await probed.request("/ready?deep=1")).json();
    expect(ready).toMatchObject({ servers: [{ name: "good", ok: true }] });
  });

  it("hides a server of the same name of the deployment: the nearer level replaces it", async () => {
    const both = await testEdge({
      deploymentServers: [{ ...remote, name: "slow" }],
      tenant: { unusable },
    });
    const { body } = await both.post("/v1/tools/call", { server: "slow", tool: "t" });
    expect(body).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  });
});

describe("a list of servers by name", () => {
  it("tells a name that is unknown as that entry's error alone", async () => {
    const { status, body } = await (
      await edge()
    ).post("/v1/tools/list", { servers: ["god", "good", "god"] });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        tools: [{ server: "good" }],
        servers: [
          { name: "good", ok: true },
          {
            name: "god",
            source: null,
            ok: false,
            tools: 0,
            error: {
              code: "SERVER_NOT_FOUND",
              hint: expect.stringMatching(/^Did you mean 'good'\?/),
            },
          },
        ],
      },
    });
  });

  it("is refused where none of the names is known", async () => {
    const { status, body } = await (await edge()).post("/v1/tools/list", { servers: ["a", "b"] });
    expect([status, body["error"]]).toMatchObject([404, { code: "SERVER_NOT_FOUND" }]);
  });
});
