import { checkedUrl, type FetchGuard, headersOf } from "./guarded-fetch.ts";

export interface UpgradeRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Offered as `Sec-WebSocket-Protocol`. */
  readonly subprotocol: string;
  readonly signal: AbortSignal;
}

/** Asks a wss:// URL for a WebSocket; the response holds it when the server agrees. */
export type GuardedWebSocket = (url: string, request: UpgradeRequest) => Promise<Response>;

/**
 * The sister of `guardedFetch`: the only way to a WebSocket that a config names. The URL is
 * checked at use and redirects are never followed. The promise rejects with GatewayError
 * URL_NOT_ALLOWED, with what the guard's wall throws, else with what `fetch` rejects with.
 */
export function guardedWebSocket(guard: FetchGuard): GuardedWebSocket {
  return async (url, { headers, subprotocol, signal }) => {
    const send = async (): Promise<Response> => {
      const target = httpUrl(checkedUrl(guard, url, "wss"));
      const upgrade = headersOf(guard, { headers });
      upgrade.set("upgrade", "websocket");
      upgrade.set("sec-websocket-protocol", subprotocol);
      return guard.fetch(target, { headers: upgrade, signal, redirect: "manual" });
    };
    return guard.turns === undefined ? send() : guard.turns.run(signal, send);
  };
}

/** workerd opens WebSockets by http and https URLs alone. */
function httpUrl(url: URL): string {
  return url.href.replace(/^ws/, "http");
}
