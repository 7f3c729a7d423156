/** Entries from elsewhere, kept for a short time; null = known to be missing. */
export interface KeptEntries<Entry> {
  /** The entry, read anew where what is kept has grown old. Rejects with what `read` rejects with. */
  fresh(id: string): Promise<Entry | null>;
  /** What was read last, however old; undefined when nothing was, or it had to make room. */
  last(id: string): Entry | undefined;
}

interface Kept<Entry> {
  readonly entry: Entry | null;
  readonly readAt: number;
}

/** A change counts after this time at the latest, beside what KV itself keeps. */
const freshMs = 30_000;
const missingMs = 10_000;
const mostEntries = 2_000;

/** One an isolate; no promise is shared, since a request may not wait for another's I/O. */
export function keptEntries<Entry>(
  read: (id: string) => Promise<Entry | null>,
  clock: () => number,
): KeptEntries<Entry> {
  const kept = new Map<string, Kept<Entry>>();

  function isFresh({ entry, readAt }: Kept<Entry>): boolean {
    return clock() - readAt < (entry === null ? missingMs : freshMs);
  }

  /** The one that was asked for least lately stands first, and goes first. */
  function keep(id: string, one: Kept<Entry>): void {
    kept.delete(id);
    kept.set(id, one);
    const [oldest] = kept.keys();
    if (kept.size > mostEntries && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async fresh(id) {
      const known = kept.get(id);
      if (known !== undefined && isFresh(known)) {
        keep(id, known);
        return known.entry;
      }
      const readAt = clock();
      const entry = await read(id);
      keep(id, { entry, readAt });
      return entry;
    },
    last: (id) => kept.get(id)?.entry ?? undefined,
  };
}
