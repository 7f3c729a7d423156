import { rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { openDataFolder } from "./data-folder.ts";
import { createHostApp } from "./http/app.ts";
import { TicketGate } from "./http/ticket-gate.ts";
import {
  type Isolation,
  type IsolationDependencies,
  openIsolation,
} from "./isolation/open-isolation.ts";
import { openRunners } from "./launch/open-runners.ts";
import type { Log } from "./log.ts";
import { countRefusals } from "./metrics/count-refusals.ts";
import type { HostMetrics } from "./metrics/host-metrics.ts";
import { measureRun } from "./metrics/measure-run.ts";
import { ServerPool } from "./pool/server-pool.ts";
import { GroupWatcher } from "./process/group-watcher.ts";
import { openInstanceFolder } from "./process/instance-folder.ts";
import { WaitingCalls } from "./questions/waiting-calls.ts";
import { RunBook } from "./run/run-book.ts";
import { runOperation } from "./run/run-operation.ts";
import type { ServedCall } from "./run/served-call.ts";
import { HeldProcesses } from "./sessions/held-processes.ts";
import { SessionBook } from "./sessions/session-book.ts";
import type { HostSettings } from "./settings.ts";

/** Silence on a run's answer that intermediaries take for a dead connection is far longer. */
const pingMs = 10_000;
/** Runs whose process was stopped under them get this long to say so. */
const lastWordsMs = 500;

export interface Host {
  readonly app: RequestListener;
  /** Lets runs in flight finish for a while, then ends every process and removes its traces. */
  readonly close: () => Promise<void>;
}

/**
 * Wires the host's parts together. `version` is told by /health.
 * @throws SettingsError when the data folder is unfit, or launches cannot be isolated.
 */
export function createHost(
  settings: HostSettings,
  { log, metrics, version }: { log: Log; metrics: HostMetrics; version: string },
): Host {
  const now = () => Date.now();
  /** For durations: a clock that is set must neither end nor prolong anything. */
  const uptime = () => Math.round(performance.now());
  openDataFolder(settings.dataDir, { development: settings.development, log });
  const instanceFolder = openInstanceFolder(settings.dataDir);
  const isolation = isolate(settings, { instanceFolder, log });
  const watcher = new GroupWatcher(instanceFolder, { isolation, log });
  const { npm, stopGraceMs, maxFrameBytes } = settings;
  const launches = openRunners(settings, {
    instanceFolder,
    watcher,
    isolation,
    log,
    metrics,
    now,
  });
  const pool = new ServerPool({
    maxProcesses: settings.maxProcesses,
    idleMs: settings.idleMs,
    now: uptime,
    metrics,
  });
  metrics.watchPool(() => pool.numbers());
  const held = new HeldProcesses(settings.held);
  const deps = {
    runners: launches.runners,
    pool,
    process: {
      instanceFolder,
      watcher,
      isolation,
      stopGraceMs,
      log,
      onKill: () => metrics.killed(),
    },
    maxFrameBytes,
    tagTtlMs: npm.tagTtlMs,
    now: uptime,
    held,
    sessions: new SessionBook(pool, held),
    waiting: new WaitingCalls<ServedCall>({ waitMs: settings.inputWaitMs, now: uptime }),
  };
  const runs = new RunBook((run) => runOperation(run, deps), { log, now: uptime });
  const gate = new TicketGate(settings.ticketKey, now);
  const app = createHostApp({
    gate: countRefusals(gate, metrics),
    runs: {
      accepting: runs.accepting,
      cancel: runs.cancel,
      start: (request, emit, signal) => runs.start(request, measureRun(emit, metrics), signal),
    },
    log,
    version,
    maxBodyBytes: settings.maxBodyBytes,
    pingMs,
  });
  const close = async () => {
    await runs.drain(settings.drainMs);
    await Promise.all([pool.close(), launches.endInstalls()]);
    await launches.close();
    await runs.drain(lastWordsMs);
    await watcher.close();
  };
  return { app, close };
}

/** A host that is refused leaves no folder; from here on the watcher sees to it. */
function isolate(settings: HostSettings, deps: IsolationDependencies): Isolation | null {
  try {
    return openIsolation(settings, deps);
  } catch (error) {
    rmSync(deps.instanceFolder, { recursive: true, force: true });
    throw error;
  }
}
