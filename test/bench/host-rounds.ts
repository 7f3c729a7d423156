import { readdirSync, readFileSync } from "node:fs";
import { descendants } from "../support/process-tree.ts";
import type { Caller } from "./host-callers.ts";

/** One way to the same server. */
export interface Way {
  readonly name: string;
  readonly call: Caller;
  /** What is done before a round of calls, and is not measured. */
  readonly prepare?: (calls: number) => Promise<void>;
  /** Programs whose processor time, with that of what they started, is the way's. */
  readonly pids: readonly number[];
}

/** Medians over the rounds. */
export interface WayMeasure {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of all processes but the caller's, a call. */
  readonly cpuMs: number;
}

interface Rounds {
  readonly rounds: number;
  readonly callsARound: number;
  readonly callers: number;
}

interface Round {
  readonly callsPerSecond: number;
  readonly cpuMs: number;
  readonly latencies: readonly number[];
}

/** Every way in every round, each round in another order; the first round only warms up. */
export async function measureWays(
  ways: readonly Way[],
  options: Rounds,
): Promise<readonly WayMeasure[]> {
  const measured = new Map(ways.map((way) => [way, [] as Round[]]));
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const way of rotated(ways, round)) {
      const one = await runRound(way, options);
      if (round > 0) measured.get(way)?.push(one);
    }
  }
  return ways.map((way) => summary(way.name, measured.get(way) ?? []));
}

async function runRound(way: Way, { callsARound, callers }: Rounds): Promise<Round> {
  await way.prepare?.(callsARound);
  const latencies: number[] = [];
  let left = callsARound;
  const caller = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      await way.call();
      latencies.push(performance.now() - startedAt);
    }
  };
  const cpuBefore = treeCpuMs(way.pids);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = (treeCpuMs(way.pids) - cpuBefore) / callsARound;
  return { callsPerSecond: callsARound / seconds, cpuMs, latencies };
}

function summary(name: string, rounds: readonly Round[]): WayMeasure {
  const latencies = rounds.flatMap((round) => round.latencies);
  return {
    name,
    callsPerSecond: quantile(
      rounds.map((round) => round.callsPerSecond),
      0.5,
    ),
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    cpuMs: quantile(
      rounds.map((round) => round.cpuMs),
      0.5,
    ),
  };
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function treeCpuMs(pids: readonly number[]): number {
  const all = pids.flatMap((pid) => descendants(pid).map((one) => one.pid));
  return all.reduce((sum, pid) => sum + usedMs(pid), 0);
}

/** Nanoseconds on a processor stand first in a thread's schedstat. */
function usedMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))
      .reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
  } catch {
    return 0; // It has ended meanwhile.
  }
}
