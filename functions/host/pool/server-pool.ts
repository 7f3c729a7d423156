import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { HostMetrics, PoolNumbers } from "../metrics/host-metrics.ts";
import { isCrash, type StopCause } from "../process/end-reason.ts";
import { processExited } from "../process/process-failure.ts";
import { waitFor } from "../wait-for.ts";
import { Capacity, type StartServer } from "./capacity.ts";
import { CrashLoops } from "./crash-loops.ts";
import { PoolSlot, type PoolUse } from "./pool-slot.ts";
import type { WarmServer } from "./warm-server.ts";

/** The use of a process by one run; the process may serve others at the same time. */
export interface Lease {
  readonly server: WarmServer;
  /** The process was running, or being started by another run. */
  readonly warm: boolean;
  /** The process has answered: what failed before is forgotten. */
  readonly worked: () => void;
  /** No new run gets this process; it ends when its last run does. */
  readonly retire: () => void;
  /**
   * The call has ended, and the server may still be at it: no other owner's run gets the process.
   * One that has it already learns of nothing that the server tells besides answers.
   */
  readonly leaveUnanswered: () => void;
  /** The run is over. */
  readonly release: () => void;
}

export interface PoolOptions {
  readonly maxProcesses: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly metrics: HostMetrics;
}

/** Failures that say nothing of the server: nothing of it was tried. */
const notTheServers = new Set(["CAPACITY", "NOT_READY", "CONFIG_INVALID", "SESSION_EXPIRED"]);

/** The processes that run: one a key, started once however many ask, ended when nobody does. */
export class ServerPool {
  readonly #options: PoolOptions;
  readonly #slots = new Map<string, PoolSlot>();
  readonly #capacity: Capacity;
  readonly #crashLoops: CrashLoops;
  #closing = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#crashLoops = new CrashLoops(options.now);
    this.#capacity = new Capacity(options.maxProcesses);
  }

  /**
   * Refuses what would be started and has failed too often to be started at once.
   * @throws GatewayError PROCESS_START_FAILED
   */
  expectStartable(use: PoolUse): void {
    if (this.#livingFor(use) !== undefined) return;
    this.#crashLoops.expectStartable(startsOf(use));
    this.#crashLoops.expectStartable(callsOf(use, use.owner));
  }

  /** There is a process that the run can get, or one that is being started. */
  has(use: PoolUse): boolean {
    return this.#livingFor(use) !== undefined;
  }

  /** A lease on the key's process if it is ready; one older than `maxAgeMs` is retired instead. */
  leaseWarm(use: PoolUse, maxAgeMs: number): Lease | null {
    const slot = this.#livingFor(use);
    if (slot?.server === undefined) return null;
    if (this.#options.now() - slot.startedAt > maxAgeMs) {
      this.#retire(slot, "retired");
      return null;
    }
    return this.#lease(slot, slot.server, { use, warm: true });
  }

  /**
   * A lease on the key's process, which is started if there is none. The start goes on when
   * `signal` ends this caller's wait.
   * @throws GatewayError CAPACITY, what the start fails with, what `expectStartable` refuses with, or the
   * signal's reason.
   */
  async lease(use: PoolUse, start: StartServer, signal: AbortSignal): Promise<Lease> {
    const existing = this.#livingFor(use);
    const slot = existing ?? this.#open(use, start);
    slot.enter(use.owner);
    try {
      const server = await waitFor(slot.started, signal);
      return this.#lease(slot, server, { use, warm: existing !== undefined });
    } finally {
      this.#leave(slot, use);
    }
  }

  /** Stops the key's process, whoever uses it; false = there is none. Resolves when it is gone. */
  async end(key: string, cause: StopCause): Promise<boolean> {
    const slot = this.#slots.get(key);
    if (slot === undefined) return false;
    this.#forget(slot);
    const server = await slot.started.catch(() => null);
    await server?.process.stop(cause);
    return server !== null;
  }

  /** What there is at the moment. */
  numbers(): PoolNumbers {
    const slots = [...this.#slots.values()];
    const ready = slots.filter(({ server }) => server?.process.usable);
    const busy = ready.filter(({ users }) => users > 0).length;
    const starting = slots.filter(({ server }) => server === undefined).length;
    const idle = ready.length - busy;
    return {
      processes: { starting, busy, idle, stopping: this.#capacity.stopping },
      breakersOpen: this.#crashLoops.openCount,
    };
  }

  /** Stops every process; resolves when none is left. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const slot of this.#slots.values()) slot.disarm();
    await this.#capacity.close();
  }

  /** The key's slot, unless its process has just ended or is being stopped. */
  #living(key: string): PoolSlot | undefined {
    const slot = this.#slots.get(key);
    if (slot?.server === undefined || slot.server.process.usable) return slot;
    this.#forget(slot);
    return undefined;
  }

  /** The same, unless another owner's call may still be going on in it: then it is retired. */
  #livingFor({ key, owner }: PoolUse): PoolSlot | undefined {
    const slot = this.#living(key);
    if (slot === undefined || slot.isFreeFor(owner)) return slot;
    this.#retire(slot, "retired");
    return undefined;
  }

  #open(use: PoolUse, start: StartServer): PoolSlot {
    this.expectStartable(use);
    const started = this.#capacity.start(start, () => this.#evict());
    const slot = new PoolSlot(use, this.#options.now(), started);
    this.#slots.set(use.key, slot);
    void this.#follow(slot);
    return slot;
  }

  /** Frees the slot when its process ends, or when it never was. */
  async #follow(slot: PoolSlot): Promise<void> {
    const { metrics } = this.#options;
    try {
      const { process } = await slot.started;
      metrics.started("ready");
      this.#rest(slot);
      const end = await process.ended;
      metrics.ended(end);
      // Runs leave after the end was told to them: those that it failed are still here.
      // With several owners' in flight nobody knows whose call it was.
      const owner = slot.soleUser;
      if (isCrash(end) && owner !== undefined)
        this.#failed(callsOf(slot, owner), processExited(process));
    } catch (error) {
      this.#failedStart(slot, error); // And told to those who wait for it.
    }
    this.#forget(slot);
  }

  #failedStart(slot: PoolSlot, reason: unknown): void {
    if (reason instanceof GatewayError && notTheServers.has(reason.code)) return;
    this.#options.metrics.started("failed");
    this.#failed(startsOf(slot), reason);
  }

  #failed(key: string, reason: unknown): void {
    if (!this.#closing && reason instanceof GatewayError) this.#crashLoops.failed(key, reason);
  }

  /** Gives up the process that was idle for the longest time. */
  #evict(): Promise<void> | null {
    const idlest = this.#idlest();
    if (idlest?.server === undefined) return null;
    this.#retire(idlest, "evicted");
    return idlest.server.process.gone;
  }

  #idlest(): PoolSlot | undefined {
    return [...this.#slots.values()]
      .filter(({ server, users }) => server?.keptMs === null && users === 0)
      .sort((a, b) => a.usedAt - b.usedAt)[0];
  }

  #lease(
    slot: PoolSlot,
    server: WarmServer,
    { use, warm }: { use: PoolUse; warm: boolean },
  ): Lease {
    slot.enter(use.owner);
    slot.serve(use.owner, server);
    let released = false;
    return {
      server,
      warm,
      worked: () => {
        this.#crashLoops.worked(startsOf(slot));
        this.#crashLoops.worked(callsOf(slot, use.owner));
      },
      retire: () => this.#retire(slot, "retired"),
      leaveUnanswered: () => {
        slot.leaveUnanswered(use.owner);
        if (slot.soleUser === use.owner) return;
        mute(server);
        this.#retire(slot, "retired");
      },
      release: () => {
        if (!released) this.#leave(slot, use);
        released = true;
      },
    };
  }

  #leave(slot: PoolSlot, { owner }: PoolUse): void {
    slot.leave(owner, this.#options.now());
    this.#rest(slot);
  }

  /** What becomes of a slot that nobody uses any more. */
  #rest(slot: PoolSlot): void {
    if (slot.users > 0 || slot.server === undefined) return;
    if (slot.retiredBecause !== undefined) void slot.server.process.stop(slot.retiredBecause);
    else if (!this.#closing) {
      const { keptMs, idleMs = this.#options.idleMs } = slot.server;
      slot.arm(keptMs ?? Math.min(this.#options.idleMs, idleMs), () => this.#retire(slot, "idle"));
    }
  }

  #retire(slot: PoolSlot, cause: StopCause): void {
    slot.retiredBecause ??= cause;
    this.#forget(slot);
    this.#rest(slot);
  }

  #forget(slot: PoolSlot): void {
    slot.disarm();
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
  }
}

/** What it tells from here on may be of a call that has ended, and is told to nobody. */
function mute({ notifications, questions }: WarmServer): void {
  notifications.mute();
  questions.mute();
}

type Launched = Pick<PoolUse, "launchKey">;

/** Under which failures at the start are counted: they are everybody's. */
function startsOf({ launchKey }: Launched): string {
  return `start ${launchKey}`;
}

/** Under which crashes in calls are counted: each owner's apart. */
function callsOf({ launchKey }: Launched, owner: string): string {
  return `call ${launchKey} ${owner}`;
}
