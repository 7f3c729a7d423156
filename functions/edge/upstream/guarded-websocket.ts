import { checkUrl } from "../../../shared/policy/url.ts";
import { type FetchGuard, urlRefused } from "./guarded-fetch.ts";

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
    const checked = checkUrl(url, { schemes: ["wss"], development: guard.development });
    if (!checked.ok) throw urlRefused(checked);
    guard.wall?.(checked.value);
    const upgrade = new Headers(headers);
    upgrade.set("upgrade", "websocket");
    upgrade.set("sec-websocket-protocol", subprotocol);
    const target = httpUrl(checked.value);
    return guard.fetch(target, { headers: upgrade, signal, redirect: "manual" });
  };
}

/** workerd opens WebSockets by http and https URLs alone. */
function httpUrl(url: URL): string {
  return url.href.replace(/^ws/, "http");
}
