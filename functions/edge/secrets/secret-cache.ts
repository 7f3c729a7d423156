import type { StoredSecrets } from "./secret-provider.ts";

export interface SecretCacheLimits {
  /** How long a value is kept, milliseconds: between the two, by chance, so that isolates do not ask in step. */
  readonly minTtlMs: number;
  readonly maxTtlMs: number;
  /** How long it is known that a name has no value, milliseconds. */
  readonly negativeTtlMs: number;
  /** Names of one namespace; the one that was kept longest ago goes first. */
  readonly maxNames: number;
  /** Size of all names and values together, UTF-16 code units; whole namespaces go, the one that was read longest ago first. */
  readonly maxLength: number;
}

export const defaultCacheLimits: SecretCacheLimits = {
  minTtlMs: 60_000,
  maxTtlMs: 300_000,
  negativeTtlMs: 10_000,
  maxNames: 500,
  maxLength: 8 * 1024 * 1024,
};

/** One name's place in the cache: its value, or null for a name without one. */
export interface CachedSecret {
  readonly value: string | null;
  readonly expiresAt: number;
}

interface CacheSurroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Secrets that a store gave, by namespace and name: what one tenant stored is never seen by another. */
export interface SecretCache {
  /** What is known of a name; undefined where nothing is, or no longer. */
  get(namespace: string, name: string): CachedSecret | undefined;
  /** Keeps an answer of the store to the question for `names`. */
  keep(namespace: string, names: readonly string[], stored: StoredSecrets): void;
}

type Entries = Map<string, CachedSecret>;

interface Shelf {
  readonly entries: Entries;
  readonly length: number;
}

export function createSecretCache(
  { now, random }: CacheSurroundings,
  limits: SecretCacheLimits = defaultCacheLimits,
): SecretCache {
  /** In the order in which they were last read from the store. */
  const shelves = new Map<string, Shelf>();
  let totalLength = 0;

  function remove(namespace: string): void {
    totalLength -= shelves.get(namespace)?.length ?? 0;
    shelves.delete(namespace);
  }

  function replace(namespace: string, entries: Entries): void {
    remove(namespace);
    const length = lengthOf(entries);
    shelves.set(namespace, { entries, length });
    totalLength += length;
    for (const oldest of shelves.keys()) {
      if (totalLength <= limits.maxLength) return;
      remove(oldest);
    }
  }

  return {
    get(namespace, name) {
      const known = shelves.get(namespace)?.entries.get(name);
      return known !== undefined && known.expiresAt > now() ? known : undefined;
    },
    keep(namespace, names, { values, whole }) {
      const time = now();
      const ttlMs = limits.minTtlMs + random() * (limits.maxTtlMs - limits.minTtlMs);
      // The whole of a namespace also tells what is no longer in it.
      const entries: Entries = new Map(whole ? [] : shelves.get(namespace)?.entries);
      for (const name of names) {
        if (values.has(name)) continue;
        put(entries, name, { value: null, expiresAt: time + limits.negativeTtlMs });
      }
      for (const [name, value] of values) put(entries, name, { value, expiresAt: time + ttlMs });
      dropOldest(entries, limits.maxNames);
      replace(namespace, entries);
    },
  };
}

/** Puts the name at the end of the order in which names go. */
function put(entries: Entries, name: string, secret: CachedSecret): void {
  entries.delete(name);
  entries.set(name, secret);
}

function dropOldest(entries: Entries, maxNames: number): void {
  for (const name of entries.keys()) {
    if (entries.size <= maxNames) return;
    entries.delete(name);
  }
}

function lengthOf(entries: Entries): number {
  let length = 0;
  for (const [name, { value }] of entries) length += name.length + (value ?? "").length;
  return length;
}
