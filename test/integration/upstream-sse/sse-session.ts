import { SseTransport } from "../../../functions/edge/upstream/sse-transport.ts";
import { McpSession } from "../../../shared/mcp/session.ts";
import type { SessionNotification } from "../../../shared/mcp/session-types.ts";

export interface SseSession extends AsyncDisposable {
  readonly session: McpSession;
  readonly transport: SseTransport;
  readonly notifications: readonly SessionNotification[];
  readonly exceptions: readonly Error[];
}

/** A session with a server over SSE, as the edge opens it. */
export function sseSession(url: string, headers: Record<string, string> = {}): SseSession {
  const notifications: SessionNotification[] = [];
  const exceptions: Error[] = [];
  const transport = new SseTransport({
    url,
    headers,
    fetch: (input, init) => fetch(input, init),
    silenceMs: 60_000,
  });
  const session = new McpSession({
    name: "fixture",
    target: new URL(url).origin,
    protocol: "legacy",
    connectTimeoutMs: 10_000,
    openTransport: () => transport,
    onNotification: (notification) => notifications.push(notification),
    onException: (error) => exceptions.push(error),
  });
  const dispose = async () => session.disconnect();
  return { session, transport, notifications, exceptions, [Symbol.asyncDispose]: dispose };
}
