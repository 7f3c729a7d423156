/** The `result` event of a list, as its line has it, and when it was kept. */
interface KeptLine {
  readonly line: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const keptForMs = 24 * 3_600_000;
/** Longest line that is kept, characters: a value of the storage may have 2 MB. */
export const longestLine = 256 * 1024;
const mostLists = 64;
const prefix = "list:";

/** Lists of one instance, in its Durable Object's storage: they outlive its container. */
export class ListStore {
  readonly #kv: SyncKvStorage;
  readonly #now: () => number;

  /** `now` tells milliseconds since 1970. */
  constructor(kv: SyncKvStorage, now: () => number) {
    this.#kv = kv;
    this.#now = now;
  }

  get(key: string): string | null {
    const kept = this.#kv.get<KeptLine>(prefix + key);
    return kept !== undefined && kept.at + keptForMs > this.#now() ? kept.line : null;
  }

  /** Keeps a line; the oldest ones go where there are too many. */
  put(key: string, line: string): void {
    if (line.length > longestLine) return;
    this.#kv.put<KeptLine>(prefix + key, { line, at: this.#now() });
    const all = [...this.#kv.list<KeptLine>({ prefix })];
    const oldestFirst = all.toSorted(([, a], [, b]) => a.at - b.at);
    for (const [name] of oldestFirst.slice(0, -mostLists)) this.#kv.delete(name);
  }
}
