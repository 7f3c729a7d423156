import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { checkUrl } from "../../../shared/policy/url.ts";

export interface FetchGuard {
  readonly fetch: typeof globalThis.fetch;
  /** Loopback addresses and plain http are allowed to them. */
  readonly development: boolean;
  /** Throws for a URL that passes the rules for all, and that this server may not be at. */
  readonly wall?: (url: URL) => void;
}

export type GuardedFetch = (url: URL | string, init?: RequestInit) => Promise<Response>;

/**
 * The only way out to addresses that a config names: every URL is checked at use, and redirects
 * are never followed (workerd would send custom credential headers on to another origin).
 * The promise rejects with GatewayError URL_NOT_ALLOWED, with what the guard's wall throws, else
 * with what `fetch` rejects with.
 */
export function guardedFetch(guard: FetchGuard): GuardedFetch {
  return async (url, init) => {
    const checked = checkUrl(String(url), {
      schemes: ["https"],
      development: guard.development,
    });
    if (!checked.ok) throw urlRefused(checked);
    guard.wall?.(checked.value);
    return guard.fetch(checked.value, { ...init, redirect: "manual" });
  };
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
