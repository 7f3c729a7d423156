import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { RawExchange } from "../../fixtures/http/raw-exchange.ts";
import { opcodes, WsSocket } from "../../fixtures/websocket/ws-socket.ts";
import type { Canary } from "./make-canaries.ts";
import { spellings } from "./spell.ts";

/** A remote server that tells the secrets that it was given wherever a server can tell anything. */
export interface LeakyServer {
  readonly url: string;
  /** Whether a request ever carried this text. */
  readonly received: (text: string) => boolean;
  readonly close: () => Promise<void>;
}

type Leak = (exchange: RawExchange, value: string) => void;

/** The session's id is the value, and its end is refused with it. */
const keptMode = "kept";
const protocolVersion = "2025-11-25";
/** What can stand in a header's value. */
const inHeader = (value: string): string =>
  /^[!-~]+$/.test(value) ? value : encodeURIComponent(value);

/** Instead of the handshake's answer. */
const handshakes: Readonly<Record<string, Leak>> = {
  version: (exchange, value) => exchange.initialize({ protocolVersion: value }),
  "refused handshake": (exchange, value) =>
    exchange.error(-32000, `no, ${value}`, 200, { value, spelled: spellings(value) }),
  "http error": (exchange, value) => exchange.body(spellings(value), "text/plain", 500),
  "content type": (exchange, value) => exchange.body("{}", `text/${inHeader(value)}`),
  redirect: (exchange, value) =>
    exchange.status(307, {
      location: `https://other.example/${encodeURIComponent(value)}?k=${inHeader(value)}`,
    }),
  unauthorized: (exchange, value) =>
    exchange.status(401, { "www-authenticate": `Bearer realm=${inHeader(value)}` }),
};

const result: Leak = (exchange, value) =>
  exchange.result({
    content: [{ type: "text", text: spellings(value) }, { type: value }, { [value]: 1 }],
    structuredContent: { [value]: spellings(value), number: Number(value) },
  });

/** Instead of a call's answer. */
const answers: Readonly<Record<string, Leak>> = {
  result,
  [keptMode]: result,
  "long error": (exchange, value) =>
    exchange.error(1, `${"x".repeat(1_990)}${value}${"y".repeat(4_000)}`),
  "error at the cut": (exchange, value) => exchange.error(1, `${"x".repeat(4_000)}${value}`),
  garbage: (exchange, value) => exchange.body(`{{ ${spellings(value)}`, "application/json"),
  "foreign id": (exchange, value) =>
    exchange.json({ jsonrpc: "2.0", id: value, result: { content: [] } }),
  events: (exchange, value) => {
    const params = { level: "error", logger: value, data: { [value]: spellings(value) } };
    exchange.events(
      exchange.notification("notifications/message", params),
      exchange.notification(`notifications/${value}`, { value: spellings(value) }),
      exchange.notification("notifications/progress", {
        progressToken: exchange.progressToken,
        progress: 1,
        message: spellings(value),
      }),
      exchange.textEvent("done"),
    );
    exchange.response.end();
  },
};

const socketLeaks: Readonly<
  Record<string, (socket: WsSocket, request: IncomingMessage, value: string) => void>
> = {
  subprotocol: (socket, request, value) => socket.accept(request, inHeader(value)),
  closes: (socket, request, value) => {
    socket.accept(request);
    // A close frame has room for 123 bytes: the server itself would have to cut.
    const reason = Buffer.byteLength(value) > 123 ? "too long" : value;
    socket.close(4401, reason);
  },
  "no message": (socket, request, value) => {
    socket.accept(request);
    socket.frame(opcodes.text, spellings(value));
    socket.close(1011, "");
  },
};

/** Modes of `/<mode>/<index>` by transport: each tells one canary in one way. */
export const leakyModes = {
  http: [...Object.keys(handshakes), ...Object.keys(answers)],
  sse: ["endpoint"],
  websocket: Object.keys(socketLeaks),
} as const;

export async function startLeakyServer(canaries: readonly Canary[]): Promise<LeakyServer> {
  let arrived = "";
  const place = (url: URL) => {
    const [, mode = "", index = ""] = url.pathname.split("/");
    return { mode: decodeURIComponent(mode), value: canaries[Number(index)]?.value ?? "" };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    arrived += `${JSON.stringify(request.rawHeaders)}${request.url}${body}\n`;
    const call = body === "" ? null : JSON.parse(body);
    const { mode, value } = place(url);
    if (mode === "endpoint") return endpoint(response, value);
    answer(new RawExchange({ request, response, url, call, modern: false }), mode, value);
  };
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => void handle(request, response));
  server.on("upgrade", (request, stream) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { mode, value } = place(url);
    sockets.add(stream);
    stream.on("error", () => undefined).on("end", () => stream.end());
    stream.on("close", () => sockets.delete(stream));
    socketLeaks[mode]?.(new WsSocket(stream, url), request, value);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (text) => arrived.includes(text),
    close: () => {
      server.closeAllConnections();
      for (const stream of sockets) stream.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function endpoint(response: ServerResponse, value: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  // A label of a host name has room for 63 characters: the server itself would have to cut.
  const hex = Buffer.from(value).toString("hex");
  const host = hex.length > 63 ? "elsewhere" : hex;
  const path = encodeURIComponent(value);
  response.end(`event: endpoint\ndata: https://${host}.example/${path}?k=${path}\n\n`);
}

function keep(exchange: RawExchange, value: string): void {
  exchange.response.setHeader("mcp-session-id", inHeader(value));
  const serverInfo = { name: value, version: value };
  const capabilities = { tools: {} };
  exchange.json({
    jsonrpc: "2.0",
    id: exchange.id,
    result: { protocolVersion, capabilities, serverInfo },
  });
}

function refuseEnd(exchange: RawExchange, value: string): void {
  exchange.response.setHeader("x-reason", inHeader(value));
  exchange.body(spellings(value), "text/plain", 500);
}

function answer(exchange: RawExchange, mode: string, value: string): void {
  const method = exchange.call?.method ?? exchange.request.method ?? "";
  const handshake = handshakes[mode];
  if (method === "DELETE" && mode === keptMode) refuseEnd(exchange, value);
  else if (method === "DELETE") exchange.status(200);
  else if (method === "GET") exchange.status(405);
  else if (exchange.call?.id === undefined) exchange.status(202);
  else if (method === "initialize" && mode === keptMode) keep(exchange, value);
  else if (method === "initialize" && handshake !== undefined) handshake(exchange, value);
  else if (method === "initialize") exchange.initialize({ protocolVersion });
  else if (method === "tools/call") answers[mode]?.(exchange, value);
  else exchange.error(-32601, "no such method", 400);
}
