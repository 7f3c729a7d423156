/** What is known of one installed package. */
export interface KeptEntry {
  /** Its folder. */
  readonly path: string;
  readonly bytes: number;
  /** When a process was last started from it; milliseconds since 1970. */
  readonly usedAt: number;
  /** A process runs from it. */
  readonly held: boolean;
}

interface Room {
  /** Bytes that there are for all entries together. */
  readonly bytes: number;
  readonly now: number;
}

/** A start may be on its way from what was asked for so recently. */
const graceMs = 60_000;

/**
 * The entries that are given up so that the others fit, those first that were not used for the
 * longest time. What is in use stays, even when it is too much.
 */
export function chooseLeaving(entries: readonly KeptEntry[], room: Room): KeptEntry[] {
  let over = entries.reduce((sum, { bytes }) => sum + bytes, 0) - room.bytes;
  const leaving: KeptEntry[] = [];
  for (const entry of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (over <= 0) break;
    if (entry.held || room.now - entry.usedAt < graceMs) continue;
    leaving.push(entry);
    over -= entry.bytes;
  }
  return leaving;
}
