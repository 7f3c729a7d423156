import { StreamableHttpTransport } from "../../../functions/edge/upstream/streamable-http.ts";
import { McpSession } from "../../../shared/mcp/session.ts";
import type { SessionNotification, SessionOptions } from "../../../shared/mcp/session-types.ts";

export interface HttpSession extends AsyncDisposable {
  readonly session: McpSession;
  /** Every transport that the session has opened, the current one last. */
  readonly transports: readonly StreamableHttpTransport[];
  readonly notifications: readonly SessionNotification[];
  readonly exceptions: readonly Error[];
}

interface HttpOptions {
  readonly headers?: Record<string, string>;
  readonly maxMessageBytes?: number;
  readonly silenceMs?: number;
  readonly terminateOnClose?: boolean;
  readonly listens?: boolean;
}

/** A session with a server over streamable HTTP, as the edge opens it. */
export function httpSession(
  url: string,
  options: Partial<SessionOptions> = {},
  http: HttpOptions = {},
): HttpSession {
  const transports: StreamableHttpTransport[] = [];
  const notifications: SessionNotification[] = [];
  const exceptions: Error[] = [];
  const session = new McpSession({
    name: "fixture",
    target: new URL(url).origin,
    protocol: "auto",
    connectTimeoutMs: 10_000,
    openTransport: () => {
      const { headers = {}, silenceMs = 60_000, terminateOnClose = true, ...rest } = http;
      const transport = new StreamableHttpTransport({
        url,
        headers,
        fetch: (input, init) => fetch(input, init),
        terminateOnClose,
        silenceMs,
        ...rest,
      });
      transports.push(transport);
      return transport;
    },
    onNotification: (notification) => notifications.push(notification),
    onException: (error) => exceptions.push(error),
    ...options,
  });
  const dispose = async () => session.disconnect();
  return { session, transports, notifications, exceptions, [Symbol.asyncDispose]: dispose };
}
