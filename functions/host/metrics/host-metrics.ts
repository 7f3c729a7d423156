import { Registry } from "prom-client";
import type { ErrorCode } from "../../../shared/errors/catalogue.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { type EndReason, endLabel, isCrash } from "../process/end-reason.ts";
import { openMetrics } from "./metric-table.ts";

type Runner = Launch["runner"];

/** What a run waits for: its package, its process, or the server's answer. */
export const runStages = ["install", "start", "call"] as const;
export type RunStage = (typeof runStages)[number];

/** Numbers of the pool at a moment. */
export interface PoolNumbers {
  readonly processes: Readonly<Record<"starting" | "busy" | "idle" | "stopping", number>>;
  /** Servers that are not started since they failed too often. */
  readonly breakersOpen: number;
}

/** Numbers of a runner's installations at a moment. */
export interface InstallNumbers {
  readonly running: number;
  readonly waiting: number;
}

/** What the host counts of itself, in Prometheus' text form. */
export class HostMetrics {
  readonly #registry = new Registry();
  readonly #metrics = openMetrics(this.#registry);
  readonly #installs = new Map<Runner, () => InstallNumbers>();
  #pool: (() => PoolNumbers) | undefined;

  constructor(version: string) {
    this.#metrics.info.set({ version }, 1);
    for (const stage of runStages) this.#metrics.runsNow.set({ stage }, 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    this.#readNow();
    return this.#registry.metrics();
  }

  /** The pool's numbers are read whenever the metrics are. */
  watchPool(read: () => PoolNumbers): void {
    this.#pool = read;
  }

  /** The same of a runner's installations. */
  watchInstalls(runner: Runner, read: () => InstallNumbers): void {
    this.#installs.set(runner, read);
  }

  started(outcome: "ready" | "failed"): void {
    this.#metrics.starts.inc({ outcome });
  }

  ended(end: EndReason): void {
    if (isCrash(end)) this.#metrics.crashes.inc({ reason: endLabel(end) });
    else this.#metrics.stops.inc({ cause: endLabel(end) });
  }

  killed(): void {
    this.#metrics.kills.inc();
  }

  lookedUp(runner: Runner, result: "hit" | "miss"): void {
    this.#metrics.packageLookups.inc({ runner, result });
  }

  installed(runner: Runner, outcome: "done" | "failed", ms: number): void {
    this.#metrics.installSeconds.observe({ runner, outcome }, ms / 1000);
  }

  evictedPackage(): void {
    this.#metrics.packageEvictions.inc();
  }

  countedPackages(bytes: number): void {
    this.#metrics.packageBytes.set(bytes);
  }

  refusedTicket(code: ErrorCode): void {
    this.#metrics.ticketsRefused.inc({ code });
  }

  /** A run goes on to its next stage; null = it was not there, or is over. */
  movedRun(from: RunStage | null, to: RunStage | null): void {
    if (from !== null) this.#metrics.runsNow.dec({ stage: from });
    if (to !== null) this.#metrics.runsNow.inc({ stage: to });
  }

  endedRun(outcome: "ok" | ErrorCode): void {
    this.#metrics.runs.inc({ outcome });
  }

  /** How long a stage of an answered run took. */
  tookMs(stage: "start" | "call", ms: number): void {
    const histogram = stage === "start" ? this.#metrics.startSeconds : this.#metrics.callSeconds;
    histogram.observe(ms / 1000);
  }

  #readNow(): void {
    const { processes, breakersOpen, installs, residentBytes } = this.#metrics;
    residentBytes.set(process.memoryUsage.rss());
    const pool = this.#pool?.();
    for (const [state, count] of Object.entries(pool?.processes ?? {}))
      processes.set({ state }, count);
    breakersOpen.set(pool?.breakersOpen ?? 0);
    for (const [runner, read] of this.#installs) {
      const { running, waiting } = read();
      installs.set({ runner, state: "running" }, running);
      installs.set({ runner, state: "waiting" }, waiting);
    }
  }
}
