/** One way to do the same call. */
export interface Contestant {
  readonly name: string;
  /** Does the call once and throws when the answer is not the expected one. */
  readonly run: () => Promise<void>;
}

export interface Measurement {
  readonly name: string;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

const warmUps = 20;

/**
 * Times every contestant `rounds` times in one run, interleaved, each round in another order, so
 * that a noisy machine disturbs all alike. `callers` rounds go on at once.
 */
export async function measure(
  contestants: readonly Contestant[],
  { rounds, callers }: { readonly rounds: number; readonly callers: number },
): Promise<readonly Measurement[]> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let i = 0; i < warmUps; i += 1) for (const { run } of contestants) await run();
  let next = 0;
  async function caller(): Promise<void> {
    for (let round = next++; round < rounds; round = next++) {
      for (const { name, run } of rotated(contestants, round)) {
        const startedAt = performance.now();
        await run();
        times.get(name)?.push(performance.now() - startedAt);
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, caller));
  return contestants.map(({ name }) => {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
    return { name, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  });
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
