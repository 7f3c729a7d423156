import { readFile } from "node:fs/promises";

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

export interface Plan {
  readonly rounds: number;
  /** Rounds that go on at once. */
  readonly callers: number;
  /** Processes whose processor time is told, by name. */
  readonly processes: Readonly<Record<string, number>>;
}

export interface Measured {
  readonly measurements: readonly Measurement[];
  /** Milliseconds a round, by the processes' names. */
  readonly processorMs: Readonly<Record<string, number>>;
}

const warmUps = 50;

/**
 * Times every contestant `rounds` times in one run, interleaved, each round in another order, so
 * that a noisy machine disturbs all alike.
 */
export async function measure(
  contestants: readonly Contestant[],
  { rounds, callers, processes }: Plan,
): Promise<Measured> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let i = 0; i < warmUps; i += 1) for (const { run } of contestants) await run();
  const before = await usedMs(processes);
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
  const after = await usedMs(processes);
  const measurements = contestants.map(({ name }) => {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
    return { name, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  });
  const used = after.map(([name, ms], at) => [name, (ms - (before[at]?.[1] ?? 0)) / rounds]);
  return { measurements, processorMs: Object.fromEntries(used) };
}

function usedMs(processes: Plan["processes"]): Promise<(readonly [string, number])[]> {
  const used = async ([name, pid]: [string, number]) => [name, await processorMs(pid)] as const;
  return Promise.all(Object.entries(processes).map(used));
}

/** Processor time that a process has used, milliseconds. */
async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  // utime and stime, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
