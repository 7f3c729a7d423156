import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";

/**
 * Servers that ask more than they answer: what a server makes Gangway send must keep neither the
 * other servers of a request nor the isolate busy.
 */

let server: AskingServer;
let gangway: Gangway;
beforeAll(async () => {
  gangway = await startGangway({ host: false });
});
afterAll(() => gangway?.close());
beforeEach(async () => {
  server = await startAskingServer();
});
afterEach(() => server.close());

interface AskingServer {
  readonly url: string;
  /** Messages that were never taken. */
  readonly untaken: () => number;
  readonly close: () => Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

/**
 * MCP over SSE at `/sse/<mode>`, over streamable HTTP at `/http/<mode>`. By mode, a tool call is
 * met with `asks-N`: N pings, whose answers are never taken; `deaf`: nothing that is posted for it
 * or after it is taken. The handshake of `other` is answered when the first message that is no
 * call was not taken.
 */
async function startAskingServer(): Promise<AskingServer> {
  const streams = new Map<string, ServerResponse>();
  const { promise: first, resolve: leave } = Promise.withResolvers<void>();
  let untaken = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, kind = "", mode = ""] = (request.url ?? "").split("/");
    if (request.method === "GET" && kind === "sse") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${request.url}\n\n`);
      streams.set(mode, response);
    } else if (request.method === "POST") {
      const message = await readMessage(request);
      if (isUntaken(message, mode)) {
        untaken += 1;
        if (message.method !== "tools/call") leave();
        return;
      }
      if (mode === "other" && message.method === "initialize") await first;
      if (kind === "sse") overSse(message, mode, { response, stream: streams.get(mode) });
      else overHttp(message, mode, response);
    } else response.writeHead(405).end();
  };
  const listening = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    untaken: () => untaken,
    close: () => {
      listening.closeAllConnections();
      return new Promise((resolve) => listening.close(() => resolve()));
    },
  };
}

async function readMessage(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Message;
}

/** Answers to pings; and calls and cancellations where the server is deaf to them. */
function isUntaken({ method }: Message, mode: string): boolean {
  if (method === undefined) return true;
  const ofCall = method === "tools/call" || method === "notifications/cancelled";
  return mode === "deaf" && ofCall;
}

function overSse(
  { id, method }: Message,
  mode: string,
  { response, stream }: { response: ServerResponse; stream: ServerResponse | undefined },
): void {
  response.writeHead(202).end();
  if (method === "tools/call" && mode.startsWith("asks-")) stream?.write(pings(mode));
  else if (id !== undefined) stream?.write(event({ id, result: resultOf(method) }));
}

function overHttp({ id, method }: Message, mode: string, response: ServerResponse): void {
  if (id === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (method === "tools/call" && mode.startsWith("asks-")) response.write(pings(mode));
  else response.end(event({ id, result: resultOf(method) }));
}

function pings(mode: string): string {
  const count = Number(mode.slice("asks-".length));
  return Array.from({ length: count }, (_, n) => event({ id: `p${n}`, method: "ping" })).join("");
}

function event(message: object): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

function resultOf(method: string | undefined): object {
  if (method !== "initialize") return { content: [{ type: "text", text: "done" }] };
  const serverInfo = { name: "asking", version: "1" };
  return { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo };
}

function remote(name: string, transport: "http" | "sse", mode: string) {
  const url = `${server.url}/${transport}/${mode}`;
  return { name, type: "mcp", description: "d", transport, url, protocol: "legacy" };
}

async function call(servers: readonly object[], names: readonly string[]) {
  const { body } = await gangway.post("/v1/tools/call", {
    config: { version: "1.0", mcp_servers: servers },
    calls: names.map((name) => ({ server: name, tool: "t" })),
    options: { timeout_s: 1 },
  });
  const results = body["results"] as { success: boolean; error?: { code: string } }[];
  return results.map(({ success, error }) => error?.code ?? success);
}

describe("a server that does not take what it made Gangway send", () => {
  it.each(["sse", "http"] as const)(
    "keeps no other server's calls waiting over %s",
    async (transport) => {
      const servers = [remote("asking", transport, "asks-300"), remote("other", "http", "other")];
      expect(await call(servers, ["asking", "other"])).toEqual(["REQUEST_TIMEOUT", true]);
      expect(server.untaken()).toBeLessThanOrEqual(2);
    },
  );

  it("keeps no other server's calls waiting by the calls themselves", async () => {
    const servers = [remote("deaf", "sse", "deaf"), remote("other", "http", "other")];
    const deaf = Array.from({ length: 8 }, () => "deaf");
    expect(await call(servers, [...deaf, "other"])).toEqual([
      ...deaf.map(() => "REQUEST_TIMEOUT"),
      true,
    ]);
  });
});

describe("a server that asks without end", () => {
  it.each(["sse", "http"] as const)("loses its connection over %s", async (transport) => {
    const { status, body } = await gangway.post("/v1/tools/call", {
      config: remote("asking", transport, "asks-1001"),
      tool: "t",
    });
    expect([status, body]).toMatchObject([
      502,
      {
        error: {
          code: "RESPONSE_TOO_LARGE",
          executed: "maybe",
          details: { limit_requests: 1_000 },
        },
      },
    ]);
  });
});
