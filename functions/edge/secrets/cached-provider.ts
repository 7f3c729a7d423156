import type { RefreshBook } from "./refresh-book.ts";
import type { SecretCache } from "./secret-cache.ts";
import {
  askableNames,
  type Namespace,
  type SecretProvider,
  type SecretStore,
  type SecretValues,
} from "./secret-provider.ts";

export interface CachedProviderParts {
  readonly store: SecretStore;
  readonly cache: SecretCache;
  readonly refreshes: RefreshBook;
}

/**
 * A store behind the isolate's cache. Two requests that miss at once both ask the store: in
 * workerd a promise of one request must not be awaited by another. A store that fails is told,
 * never covered by values that have expired.
 */
export function cachedProvider({ store, cache, refreshes }: CachedProviderParts): SecretProvider {
  async function read(
    namespace: Namespace,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<SecretValues> {
    if (names.length === 0) return new Map();
    const stored = await store.read(namespace, names, signal);
    cache.keep(namespace, names, stored);
    return pick(stored.values, names);
  }

  /** The values that are known without asking; what is not known at all is in `unknown`. */
  function recall(namespace: Namespace, names: readonly string[]) {
    const values = new Map<string, string>();
    const unknown: string[] = [];
    for (const name of names) {
      const kept = cache.get(namespace, name);
      if (kept === undefined) unknown.push(name);
      else if (kept.value !== null) values.set(name, kept.value);
    }
    return { values, unknown };
  }

  return {
    async getSecrets(namespace, asked, signal) {
      const { values, unknown } = recall(namespace, askableNames(namespace, asked));
      return new Map([...values, ...(await read(namespace, unknown, signal))]);
    },
    async refresh(namespace, asked, signal) {
      const names = askableNames(namespace, asked);
      const due = new Set(refreshes.due(namespace, names));
      const rest = names.filter((name) => !due.has(name));
      const before = recall(namespace, [...due]).values;
      refreshes.begin(namespace, [...due]);
      const values = await read(namespace, [...due], signal);
      const idle = [...due].filter((name) => values.get(name) === before.get(name));
      refreshes.idle(namespace, idle);
      return new Map([...recall(namespace, rest).values, ...values]);
    },
  };
}

function pick(values: SecretValues, names: readonly string[]): SecretValues {
  return new Map(
    names.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
