import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawExchange } from "../../fixtures/http/raw-exchange.ts";
import { type Answer, type Gangway, startGangway } from "../../support/gangway.ts";

/** Longer than the time limit of a call can bear twice. */
const slowMs = 700;

let server: SlowServer;
let gangway: Gangway;

beforeAll(async () => {
  server = await startSlowServer();
  gangway = await startGangway({ host: false });
});

afterAll(() => Promise.all([gangway?.close(), server?.close()]));

interface SlowServer {
  readonly url: string;
  /** Most requests that have waited for their answer at once since it was last asked. */
  readonly mostWaiting: () => number;
  readonly hops: readonly (string | undefined)[];
  readonly paths: readonly string[];
  readonly close: () => Promise<void>;
}

/** An MCP server whose response headers come late; `/moved/N` leads to `/moved/N-1`, `/moved/0` serves. */
async function startSlowServer(): Promise<SlowServer> {
  const hops: (string | undefined)[] = [];
  const paths: string[] = [];
  let [waiting, most] = [0, 0];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://fixture");
    waiting += 1;
    most = Math.max(most, waiting);
    hops.push(request.headers["gangway-hops"] as string | undefined);
    paths.push(`${request.method} ${url.pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const call = body === "" ? null : JSON.parse(body);
    const exchange = new RawExchange({ request, response, url, call, modern: false });
    const moves = Number(/^\/moved\/(\d+)$/.exec(url.pathname)?.[1] ?? 0);
    setTimeout(
      () => {
        waiting -= 1;
        if (moves > 0) exchange.status(307, { location: `${moves - 1}` });
        else answer(exchange);
      },
      url.pathname === "/slow" ? slowMs : 0,
    );
  };
  const listening = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    mostWaiting: () => {
      const told = most;
      most = 0;
      return told;
    },
    hops,
    paths,
    close: () => {
      listening.closeAllConnections();
      return new Promise((resolve) => listening.close(() => resolve()));
    },
  };
}

function answer(exchange: RawExchange): void {
  const { call } = exchange;
  if (call?.id === undefined) exchange.status(call === null ? 405 : 202);
  else if (call.method === "initialize") exchange.initialize();
  else if (call.method === "tools/call") exchange.text("done");
  else exchange.result({ tools: [exchange.tool("work")] });
}

function remote(name: string, url: string, fields: Record<string, unknown> = {}) {
  const entry = { name, type: "mcp", description: "d", transport: "http", url };
  // The end of one request's session would count among the connections of the next request.
  return { ...entry, protocol: "legacy", terminate_on_close: false, ...fields };
}

interface Called {
  readonly success: boolean;
  readonly error?: { readonly code: string; readonly details?: Record<string, unknown> };
}

function results({ body }: Answer): readonly Called[] {
  return body["results"] as Called[];
}

describe("connections of one request that wait for headers", () => {
  it("are at most five, and none times out because others go first", async () => {
    const config = { version: "1.0", mcp_servers: [remote("slow", `${server.url}/slow`)] };
    server.mostWaiting();
    const startedAt = performance.now();
    const answered = await gangway.post("/v1/tools/call", {
      config,
      calls: Array.from({ length: 16 }, () => ({ server: "slow", tool: "work", arguments: {} })),
      options: { timeout_s: 2 },
    });
    expect(results(answered).map(({ success, error }) => error?.code ?? success)).toEqual(
      Array.from({ length: 16 }, () => true),
    );
    expect(server.mostWaiting()).toBe(5);
    // Four rounds: more than the time limit of any one of them.
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  });

  it("are at most five over many servers, whose handshakes wait as well", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
    const servers = names.map((name) => remote(name, `${server.url}/slow`, { timeout: 3 }));
    server.mostWaiting();
    const { body } = await gangway.post("/v1/tools/list", {
      config: { version: "1.0", mcp_servers: servers },
      options: { timeout_s: 2 },
    });
    const listed = body["servers"] as { ok: boolean; error?: { code: string } }[];
    expect(listed.map(({ ok, error }) => error?.code ?? ok)).toEqual(names.map(() => true));
    expect(server.mostWaiting()).toBeLessThanOrEqual(5);
  });
});

describe("a server of Gangway's own address", () => {
  it.each([
    ["http", "http"],
    ["sse", "http"],
    ["websocket", "ws"],
  ])("is refused over %s before anything is sent", async (transport, scheme) => {
    const url = `${gangway.url.replace("http", scheme)}/mcp`;
    const config = { ...remote("loop", url), transport };
    const { status, body } = await gangway.post("/v1/tools/call", { config, tool: "work" });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      error: { code: "URL_NOT_ALLOWED", executed: "no", details: { reason: "url-own-host" } },
    });
  });
});

describe("gateways in a row", () => {
  async function call(hops: string | null): Promise<{ status: number; code: unknown }> {
    const response = await fetch(`${gangway.url}/v1/tools/call`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gangway.key}`,
        "content-type": "application/json",
        ...(hops === null ? {} : { "gangway-hops": hops }),
      },
      body: JSON.stringify({ config: remote("s", `${server.url}/fast`), tool: "work" }),
    });
    const body = (await response.json()) as { error?: { code?: string } };
    return { status: response.status, code: body.error?.code };
  }

  it.each([
    [null, "1"],
    ["1", "2"],
    ["2", "3"],
  ])("are counted from %s to %s", async (told, sent) => {
    const before = server.hops.length;
    expect(await call(told)).toEqual({ status: 200, code: undefined });
    expect(new Set(server.hops.slice(before))).toEqual(new Set([sent]));
  });

  it.each(["3", "nonsense"])("are refused after three, told as %s", async (told) => {
    const before = server.hops.length;
    expect(await call(told)).toEqual({ status: 508, code: "HOPS_EXCEEDED" });
    expect(server.hops.length).toBe(before);
  });
});

describe("redirects within a server's origin", () => {
  it("are followed with the method and body, up to three", async () => {
    const before = server.paths.length;
    const config = remote("moved", `${server.url}/moved/3`);
    const { body } = await gangway.post("/v1/tools/call", { config, tool: "work" });
    expect(body).toMatchObject({ success: true });
    expect(server.paths.slice(before, before + 4)).toEqual([
      "POST /moved/3",
      "POST /moved/2",
      "POST /moved/1",
      "POST /moved/0",
    ]);
  });

  it("are an error beyond that", async () => {
    const config = remote("moved", `${server.url}/moved/4`);
    const { status, body } = await gangway.post("/v1/tools/call", { config, tool: "work" });
    expect([status, (body as { error?: { code: string } }).error?.code]).toEqual([
      502,
      "UPSTREAM_REDIRECT",
    ]);
  });
});
