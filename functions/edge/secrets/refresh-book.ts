export interface RefreshLimits {
  /** Least time between two re-reads of a name, milliseconds. */
  readonly intervalMs: number;
  /** The same after a re-read that brought nothing new: a server that refuses for ever is no news. */
  readonly idleIntervalMs: number;
  /** Names that are remembered; the one that was noted longest ago is forgotten first. */
  readonly maxNames: number;
}

const defaultRefreshLimits: RefreshLimits = {
  intervalMs: 30_000,
  idleIntervalMs: 60_000,
  maxNames: 5_000,
};

/** Remembers when names were read again, so that refusals cannot drive requests to the store. */
export interface RefreshBook {
  /** Those of the names that may be read again now. */
  due(namespace: string, names: readonly string[]): readonly string[];
  /** Notes a re-read before it is made, so that other requests do not make it too. */
  begin(namespace: string, names: readonly string[]): void;
  /** Notes that the re-read brought nothing new. */
  idle(namespace: string, names: readonly string[]): void;
}

/** `now` tells milliseconds since 1970. */
export function createRefreshBook(
  now: () => number,
  limits: RefreshLimits = defaultRefreshLimits,
): RefreshBook {
  /** When each name may be read again. */
  const dueAt = new Map<string, number>();

  function note(namespace: string, names: readonly string[], afterMs: number): void {
    for (const name of names) {
      dueAt.delete(keyOf(namespace, name));
      dueAt.set(keyOf(namespace, name), now() + afterMs);
    }
    for (const key of dueAt.keys()) {
      if (dueAt.size <= limits.maxNames) break;
      dueAt.delete(key);
    }
  }

  return {
    due: (namespace, names) =>
      names.filter((name) => (dueAt.get(keyOf(namespace, name)) ?? 0) <= now()),
    begin: (namespace, names) => note(namespace, names, limits.intervalMs),
    idle: (namespace, names) => note(namespace, names, limits.idleIntervalMs),
  };
}

/** A namespace holds no slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
