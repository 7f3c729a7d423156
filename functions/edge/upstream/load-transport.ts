import type { GatewayTransport } from "../../../shared/mcp/session-types.ts";
import { type FetchGuard, guardedFetch } from "./guarded-fetch.ts";
import { guardedWebSocket } from "./guarded-websocket.ts";
import type { ServerSession } from "./streamable-http-options.ts";

/** Transports that reach a remote server; `http` is MCP's streamable HTTP. */
export type RemoteTransportName = "http" | "sse" | "websocket";

export interface RemoteTransport extends GatewayTransport {
  /** HTTP requests sent so far, of every method; a WebSocket counts its upgrade. */
  readonly upstreamRequests: number;
  /** Streamable HTTP only: the server's session outlives the connection. */
  readonly keepSession?: () => void;
}

export interface RemoteTransportOptions {
  /** References resolved, checked by the guard. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands between the transport and the network. */
  readonly guard: FetchGuard;
  /** Streamable HTTP only: end the session with DELETE on close. */
  readonly terminateOnClose: boolean;
  /** Streamable HTTP only: a session of the legacy era that goes on. */
  readonly session?: ServerSession;
  /** Milliseconds of silence before a stream counts as dead. */
  readonly silenceMs: number;
  /** Streamable HTTP only: hear what a server of the legacy era says outside of requests. */
  readonly listens?: boolean;
}

export type OpenTransport = (options: RemoteTransportOptions) => RemoteTransport;

const loaders: Readonly<Record<RemoteTransportName, () => Promise<OpenTransport>>> = {
  http: loadStreamableHttp,
  sse: loadSse,
  websocket: loadWebSocket,
};

/** An isolate evaluates only the transports that its requests use. */
export async function loadTransport(name: RemoteTransportName): Promise<OpenTransport> {
  return loaders[name]();
}

async function loadStreamableHttp(): Promise<OpenTransport> {
  const { StreamableHttpTransport } = await import("./streamable-http.ts");
  return ({ guard, ...options }) =>
    new StreamableHttpTransport({ ...options, fetch: guardedFetch(guard) });
}

async function loadSse(): Promise<OpenTransport> {
  const { SseTransport } = await import("./sse-transport.ts");
  return ({ guard, url, headers, silenceMs }) =>
    new SseTransport({ url, headers, silenceMs, fetch: guardedFetch(guard) });
}

async function loadWebSocket(): Promise<OpenTransport> {
  const { WebSocketTransport } = await import("./websocket-transport.ts");
  return ({ guard, url, headers, silenceMs }) =>
    new WebSocketTransport({ url, headers, silenceMs, open: guardedWebSocket(guard) });
}
