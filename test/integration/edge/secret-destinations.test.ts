import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type Listener, startListener } from "../../support/listener.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";

const value = "canary-5e1f-linear-token";
const approvedEnv = { TOKEN: "${TOKEN}", SERVICE_API_URL: "https://api.example.com/" };

let good: Listener;
let evil: Listener;
let registry: NpmRegistry;
let gangway: Gangway;

beforeAll(async () => {
  evil = await startListener();
  good = await startListener((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const status = Number(searchParams.get("redirect") ?? 0);
    const endpoint = searchParams.get("endpoint");
    if (status > 0) response.writeHead(status, { location: `${evil.url}/mcp` }).end();
    else if (endpoint !== null && pathname === "/mcp") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    } else response.writeHead(500).end();
  });
  registry = await startNpmRegistry([stdioFixtures()]);
  gangway = await startGangway({
    registry: registry.url,
    vars: { GW_SECRET_TOKEN: value },
    tenant: {
      // The evil host is one that configs may name: what holds is the secret's destination alone.
      policy: { hosts: [good.url, evil.url].map((url) => new URL(url).host), packages: [] },
      send_to: { TOKEN: [`${good.url}/mcp`] },
      approved_launches: [
        {
          command: "npx",
          args: ["-y", "-p", "@fixture/stdio@1.0.0", "env-printer"],
          env: approvedEnv,
        },
      ],
    },
  });
});

afterAll(async () => {
  await Promise.all([gangway?.close(), good?.close(), evil?.close(), registry?.close()]);
});

function submit(server: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const config = { name: "s", type: "mcp", description: "d", ...server };
  return gangway.post("/v1/tools/call", { config, tool: "surroundings", ...rest });
}

const bearer = { authorization: "Bearer ${TOKEN}", "x-api-key": "${TOKEN}" };

describe("a stored secret of a submitted remote server", () => {
  it("arrives at its destination", async () => {
    await submit({ transport: "http", url: `${good.url}/mcp`, headers: bearer });
    expect(good.arrived.join("\n")).toContain(value);
  });

  it.each([
    ["another host", () => ({ transport: "http", url: `${evil.url}/mcp` })],
    ["another host over SSE", () => ({ transport: "sse", url: `${evil.url}/mcp` })],
    [
      "another host over WebSocket",
      () => ({ transport: "websocket", url: `${evil.url.replace("http", "ws")}/mcp` }),
    ],
    [
      "the destination as a user name",
      () => ({
        transport: "http",
        url: evil.url.replace("//", `//${new URL(good.url).hostname}@`),
      }),
    ],
    [
      "another spelling of the address",
      () => ({ transport: "http", url: evil.url.replace("127.0.0.1", "2130706433") }),
    ],
    ["a query", () => ({ transport: "http", url: `${evil.url}/mcp?k=\${TOKEN}`, headers: {} })],
  ])("is refused at %s before any connection (case 26)", async (_, server) => {
    const before = evil.connections();
    const { status } = await submit({ headers: bearer, ...server() });
    expect([status >= 400, evil.connections()]).toEqual([true, before]);
  });

  it.each([
    ["outside its path", "/other"],
    ["above its path", "/mcp/../other"],
    ["above its path, encoded", "/mcp/%2e%2e/other"],
    ["below an encoded slash", "/mcp/..%2fother"],
  ])("is not sent %s of its host", async (_, path) => {
    const before = good.connections();
    const { body } = await submit({
      transport: "http",
      url: `${good.url}${path}`,
      headers: bearer,
    });
    expect(body).toMatchObject({ error: { code: "REFERENCE_UNRESOLVED" } });
    expect(good.connections()).toBe(before);
  });

  it.each([301, 302, 303, 307, 308])(
    "does not follow a redirect by %i (case 52)",
    async (status) => {
      const before = evil.connections();
      const url = `${good.url}/mcp?redirect=${status}`;
      const { body } = await submit({ transport: "http", url, headers: bearer });
      expect(body).toMatchObject({ success: false, error: { code: "UPSTREAM_REDIRECT" } });
      expect(evil.connections()).toBe(before);
    },
  );

  it.each([
    ["another origin", () => `${evil.url}/mcp`],
    [
      "the origin as a user name",
      () => evil.url.replace("//", `//${new URL(good.url).host.replace(":", "%3A")}@`),
    ],
    ["another path", () => "/other"],
  ])("does not follow an SSE endpoint at %s (case 53)", async (_, endpoint) => {
    const [before, evilBefore] = [good.arrived.length, evil.connections()];
    const url = `${good.url}/mcp?endpoint=${encodeURIComponent(endpoint())}`;
    const { status } = await submit({ transport: "sse", url, headers: bearer });
    expect(status).toBe(403);
    expect(good.arrived.length).toBe(before + 1);
    expect(evil.connections()).toBe(evilBefore);
  });

  it("has left nothing at the other listener", () => {
    expect(evil.arrived.join("\n")).not.toContain(value);
  });
});

describe("a stored secret of a submitted stdio server", () => {
  const launch = {
    command: "npx",
    args: ["-y", "-p", "@fixture/stdio@1.0.0", "env-printer"],
    env: approvedEnv,
  };

  it("reaches exactly the approved launch, whose environment comes back masked (case 27)", async () => {
    const { status, body } = await submit(launch);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, metadata: { masked: 1, source: "submitted" } });
    const text = JSON.stringify(body);
    expect(text).toContain("https://api.example.com/");
    expect(text).not.toContain(value);
  });

  it.each<[string, () => Record<string, unknown>]>([
    ["one changed literal", () => ({ env: { ...approvedEnv, SERVICE_API_URL: evil.url } })],
    ["one variable more", () => ({ env: { ...approvedEnv, OTHER_URL: evil.url } })],
    ["one argument more", () => ({ args: [...launch.args, "--url", evil.url] })],
    [
      "another program of the package",
      () => ({ args: ["-y", "-p", "@fixture/stdio@1.0.0", "echo"] }),
    ],
    ["no version", () => ({ args: ["-y", "-p", "@fixture/stdio", "env-printer"] })],
  ])("is refused with %s, and nothing is started", async (_, change) => {
    const before = [registry.requests.length, evil.connections()];
    const { body } = await submit({ ...launch, ...change() });
    expect(body).toMatchObject({ error: { code: "SERVER_NOT_ALLOWED" } });
    expect([registry.requests.length, evil.connections()]).toEqual(before);
  });
});
