import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { SessionInfo } from "../../../shared/mcp/session-types.ts";

/**
 * Verdicts of version probes by origin and path, for sessions that come later. They hold nothing
 * private and are shared by all tenants; losing one costs a probe.
 */
export interface EraCache {
  /** The verdict for a server, or undefined when there is none that is fresh. */
  get(url: string): PriorDiscovery | undefined;
  /** Keeps what a session learnt, if it learnt anything. */
  note(url: string, info: Pick<SessionInfo, "prior">): void;
  /** Drops the verdict of a server that no longer answers as it says. */
  forget(url: string): void;
}

export interface EraCacheLimits {
  /** Servers; the one that was noted longest ago goes first. */
  readonly maxServers: number;
  /** Milliseconds. Short: a server that has since learnt the newer revision never says so by itself. */
  readonly legacyTtlMs: number;
  /** Milliseconds. A wrong verdict of this kind shows at the first request. */
  readonly modernTtlMs: number;
}

const defaultLimits: EraCacheLimits = {
  maxServers: 2_000,
  legacyTtlMs: 10 * 60_000,
  modernTtlMs: 60 * 60_000,
};

interface Verdict {
  readonly prior: PriorDiscovery;
  readonly expiresAt: number;
}

/** `now` tells milliseconds since 1970. */
export function createEraCache(
  now: () => number,
  limits: EraCacheLimits = defaultLimits,
): EraCache {
  const verdicts = new Map<string, Verdict>();
  return {
    get(url) {
      const verdict = verdicts.get(keyOf(url));
      return verdict !== undefined && verdict.expiresAt > now() ? verdict.prior : undefined;
    },
    note(url, { prior }) {
      if (prior === null) return;
      const ttlMs = prior.kind === "legacy" ? limits.legacyTtlMs : limits.modernTtlMs;
      verdicts.delete(keyOf(url));
      verdicts.set(keyOf(url), { prior, expiresAt: now() + ttlMs });
      for (const key of verdicts.keys()) {
        if (verdicts.size <= limits.maxServers) break;
        verdicts.delete(key);
      }
    },
    forget(url) {
      verdicts.delete(keyOf(url));
    },
  };
}

/** Without query and user info: they may hold secrets. */
function keyOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
