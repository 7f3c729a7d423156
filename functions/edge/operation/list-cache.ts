import type { Warning } from "../../../shared/content/call-result.ts";
import type { CacheHint } from "../../../shared/mcp/cache-hint.ts";
import type { ListMethod } from "../../../shared/mcp/operation.ts";

/** Whose list it is: lists never pass from one tenant to another, nor between unequal configs. */
export interface ListKey {
  readonly tenant: string;
  readonly subject: string;
  /** Hash of the server's source and config with every reference expanded. */
  readonly server: string;
  readonly method: ListMethod;
  /** What the server was told that the caller can answer: its list may depend on that. */
  readonly capabilities: unknown;
}

/** One server's whole list as it came, and what is known of the session that gave it. */
export interface KeptList {
  readonly items: readonly unknown[];
  readonly warnings: readonly Warning[];
  readonly era: "legacy" | "modern" | null;
  readonly protocolVersion: string | null;
}

/** Lists of an isolate, for a while. Losing one costs a request to the server. */
export interface ListCache {
  get(key: ListKey): KeptList | undefined;
  /** Keeps a list as long as its server lets it be kept; a minute where it does not say. */
  set(key: ListKey, list: KeptList, hint: CacheHint | null): void;
  /** Drops a list that its server says has changed, for all subjects and capabilities. */
  evict(key: Omit<ListKey, "subject" | "capabilities">): void;
}

export interface ListCacheLimits {
  /** Characters of JSON of all lists together; the one that was kept longest goes first. */
  readonly maxSize: number;
  /** Milliseconds without a hint. */
  readonly ttlMs: number;
  /** Milliseconds, however long a server would have it. */
  readonly maxTtlMs: number;
}

const defaultLimits: ListCacheLimits = {
  maxSize: 16 * 1024 * 1024,
  ttlMs: 60_000,
  maxTtlMs: 3_600_000,
};

interface Entry {
  readonly list: KeptList;
  readonly size: number;
  readonly expiresAt: number;
}

/** A list that its server calls public is everybody's, but inside the tenant. */
const everySubject = null;

/** `now` tells milliseconds since 1970. */
export function createListCache(
  now: () => number,
  limits: ListCacheLimits = defaultLimits,
): ListCache {
  /** By the list's place, then by whose it is. */
  const places = new Map<string, Map<string, Entry>>();
  let size = 0;

  function drop(place: string, owner: string): void {
    const entries = places.get(place);
    size -= entries?.get(owner)?.size ?? 0;
    entries?.delete(owner);
    if (entries?.size === 0) places.delete(place);
  }

  function shrink(): void {
    for (const [place, entries] of places) {
      for (const owner of entries.keys()) {
        if (size <= limits.maxSize) return;
        drop(place, owner);
      }
    }
  }

  return {
    get(key) {
      const entries = places.get(placeOf(key));
      return [everySubject, key.subject]
        .map((subject) => entries?.get(ownerOf(subject, key)))
        .find((entry) => entry !== undefined && entry.expiresAt > now())?.list;
    },
    set(key, list, hint) {
      const place = placeOf(key);
      const owner = ownerOf(hint?.scope === "public" ? everySubject : key.subject, key);
      const ttlMs = Math.min(hint?.ttlMs ?? limits.ttlMs, limits.maxTtlMs);
      drop(place, owner);
      const entry = { list, size: JSON.stringify(list).length, expiresAt: now() + ttlMs };
      if (ttlMs <= 0 || entry.size > limits.maxSize) return;
      const entries = places.get(place) ?? new Map<string, Entry>();
      // Behind all others: the map's order is the order of leaving.
      places.delete(place);
      places.set(place, entries.set(owner, entry));
      size += entry.size;
      shrink();
    },
    evict(key) {
      const place = placeOf(key);
      for (const owner of places.get(place)?.keys() ?? []) drop(place, owner);
    },
  };
}

function placeOf({ tenant, server, method }: Omit<ListKey, "subject" | "capabilities">): string {
  return JSON.stringify([tenant, server, method]);
}

function ownerOf(subject: string | null, { capabilities }: ListKey): string {
  return JSON.stringify([subject, capabilities]);
}
