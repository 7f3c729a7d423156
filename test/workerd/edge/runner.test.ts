import { describe, expect, it } from "vitest";
import { testEdge } from "../support/edge-app.ts";

const ticketKey = JSON.stringify({
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
});
const server = {
  name: "files",
  type: "mcp",
  command: "npx",
  args: ["-y", "files@1.0.0"],
};

interface Asked {
  readonly url: string;
  readonly run: Record<string, unknown>;
}

/** An edge with a runner that answers every run with one list. */
async function edgeWithRunner(kept?: boolean) {
  const asked: Asked[] = [];
  const result = {
    event: "result",
    result: { tools: [{ name: "read", inputSchema: { type: "object" } }] },
    session: { era: "legacy", protocol_version: "2025-11-25", warm: false },
    warnings: [],
    timings_ms: {},
    ...(kept === undefined ? {} : { kept }),
  };
  const runner = {
    async fetch(url: string | URL, init: { readonly body: Uint8Array }) {
      asked.push({ url: String(url), run: JSON.parse(new TextDecoder().decode(init.body)) });
      const events = [{ event: "accepted", contract: 1 }, { event: "sent" }, result];
      return new Response(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    },
  };
  const edge = await testEdge({
    mode: "development",
    tenantServers: [server],
    env: { GANGWAY_RUNNER: runner, GANGWAY_TICKET_KEY: ticketKey },
  });
  return { edge, asked };
}

describe("an edge with a runner", () => {
  it("runs what the operator wrote there, and says so", async () => {
    const { edge, asked } = await edgeWithRunner();
    const { body } = await edge.post("/v1/tools/list", {});
    expect(body).toMatchObject({ success: true, servers: [{ ok: true, cached: false }] });
    expect(asked).toMatchObject([
      { url: "https://runner.invalid/v1/run", run: { tenant: "acme", source: "tenant" } },
    ]);
    expect(asked[0]?.run).not.toHaveProperty("refresh");
  });

  it("tells what a request brought from what the operator wrote", async () => {
    const { edge, asked } = await edgeWithRunner();
    await edge.post("/v1/tools/list", { config: { tools: [server] } });
    expect(asked).toMatchObject([{ run: { source: "submitted" } }]);
  });

  it("tells a list that was kept as such, and asks for a new one on demand", async () => {
    const { edge, asked } = await edgeWithRunner(true);
    const { body } = await edge.post("/v1/tools/list", {});
    expect(body).toMatchObject({ servers: [{ ok: true, cached: true }] });
    await edge.post("/v1/tools/list", { options: { refresh: true } });
    expect(asked[1]).toMatchObject({ run: { refresh: true } });
  });

  it("has no place for docker servers, since containers have no engine", async () => {
    const { edge, asked } = await edgeWithRunner();
    const docker = { ...server, command: "docker", args: ["run", "-i", "--rm", "files:1"] };
    const { body } = await edge.post("/v1/tools/list", { config: { tools: [docker] } });
    expect(body).toMatchObject({ servers: [{ error: { code: "LAUNCHER_UNAVAILABLE" } }] });
    expect(asked).toEqual([]);
  });

  it("says in /ready what is wrong with the binding", async () => {
    const edge = await testEdge({ env: { GANGWAY_RUNNER: "gangway-runner" } });
    const ready = await edge.request("/ready");
    expect(await ready.text()).toContain("GANGWAY_RUNNER is no service binding");
  });
});
