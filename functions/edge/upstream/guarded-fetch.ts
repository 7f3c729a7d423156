import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { checkUrl } from "../../../shared/policy/url.ts";
import { hopsHeader } from "./hops.ts";
import { discard } from "./http-response.ts";
import type { ServerTurns } from "./server-turns.ts";

export interface FetchGuard {
  readonly fetch: typeof globalThis.fetch;
  /** Loopback addresses and plain http are allowed to them. */
  readonly development: boolean;
  /** Gangway's own hosts, as `UrlRules` has them. */
  readonly ownHosts?: readonly string[];
  /** Throws for a URL that passes the rules for all, and that this server may not be at. */
  readonly wall?: (url: URL) => void;
  /** Gateways that the request has come through, to be told to the server. Default: not told. */
  readonly hops?: number;
  /** Bounds the connections that wait for response headers. */
  readonly turns?: ServerTurns;
}

/** `followed` is called for each redirect that is followed: it is one more request. */
export type GuardedFetch = (
  url: URL | string,
  init?: RequestInit,
  followed?: () => void,
) => Promise<Response>;

/** Redirects of one request that are followed. */
const maxRedirects = 3;
/** Statuses by which a server moves a request as it is; 303 asks for another one. */
const moved: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * The only way out to addresses that a config names: every URL is checked at use. A redirect is
 * followed by hand, within its origin and with its method, each URL checked anew; one that leads
 * elsewhere is answered as it is, since the headers hold credentials (workerd would send custom
 * ones on to another origin).
 * The promise rejects with GatewayError URL_NOT_ALLOWED, with what the guard's wall throws, else
 * with what `fetch` rejects with.
 */
export function guardedFetch(guard: FetchGuard): GuardedFetch {
  return async (url, init = {}, followed = () => undefined) => {
    const request = { ...init, headers: headersOf(guard, init) };
    const send = () => follow(guard, String(url), request, followed);
    return guard.turns === undefined ? send() : guard.turns.run(init.signal, send);
  };
}

async function follow(
  guard: FetchGuard,
  first: string,
  init: RequestInit,
  followed: () => void,
): Promise<Response> {
  let url = checkedUrl(guard, first, "https");
  for (let redirects = 0; ; redirects += 1) {
    const response = await guard.fetch(url, { ...init, redirect: "manual" });
    const next = redirects === maxRedirects ? null : nextUrl(response, url);
    if (next === null) return response;
    await discard(response);
    url = checkedUrl(guard, next.href, "https");
    followed();
  }
}

/** Where a redirect leads within its origin; null for every other answer. */
function nextUrl(response: Response, from: URL): URL | null {
  const location = response.headers.get("location");
  if (!moved.has(response.status) || location === null) return null;
  if (!URL.canParse(location, from.href)) return null;
  const next = new URL(location, from.href);
  next.hash = "";
  return next.origin === from.origin && next.href !== from.href ? next : null;
}

/**
 * A URL that may be contacted by this server's transport.
 * @throws GatewayError URL_NOT_ALLOWED, and what the guard's wall throws
 */
export function checkedUrl(guard: FetchGuard, text: string, scheme: "https" | "wss"): URL {
  const { development, ownHosts = [] } = guard;
  const checked = checkUrl(text, { schemes: [scheme], development, ownHosts });
  if (!checked.ok) throw urlRefused(checked);
  guard.wall?.(checked.value);
  return checked.value;
}

/** The request's headers, and how many gateways it will have come through. */
export function headersOf({ hops }: FetchGuard, { headers }: RequestInit): Headers {
  const all = headers instanceof Headers ? headers : new Headers(headers);
  if (hops !== undefined) all.set(hopsHeader, String(hops + 1));
  return all;
}

export function urlRefused(refusal: {
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
}): GatewayError {
  return new GatewayError("URL_NOT_ALLOWED", refusal.message, {
    hint: refusal.hint,
    details: { reason: refusal.reason },
  });
}

/** For addresses that the operator set, the host above all: no guard, no redirects. */
export function operatorFetch(fetch: typeof globalThis.fetch): GuardedFetch {
  return async (url, init) => fetch(url, { ...init, redirect: "manual" });
}
