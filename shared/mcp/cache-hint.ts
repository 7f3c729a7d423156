import type { JsonObject } from "./json.ts";

/**
 * How long a list may be kept, and for whom, as the server says (MCP 2026-07-28, "Caching"):
 * `private` is for the caller alone.
 */
export interface CacheHint {
  readonly ttlMs: number;
  readonly scope: "public" | "private";
}

/** The hint of a list's result; null where the server gives none that can be used. */
export function readCacheHint(result: JsonObject): CacheHint | null {
  const { ttlMs, cacheScope } = result;
  if (typeof ttlMs !== "number" || !Number.isFinite(ttlMs) || ttlMs < 0) return null;
  return { ttlMs, scope: cacheScope === "public" ? "public" : "private" };
}

/** The members of a result that say so. */
export function cacheMembers(hint: CacheHint | undefined): JsonObject {
  return hint === undefined ? {} : { ttlMs: hint.ttlMs, cacheScope: hint.scope };
}

/** What holds for two pages together: the shorter time, and `private` if either says so. */
export function narrower(a: CacheHint, b: CacheHint): CacheHint {
  const scope = a.scope === "public" && b.scope === "public" ? "public" : "private";
  return { ttlMs: Math.min(a.ttlMs, b.ttlMs), scope };
}
