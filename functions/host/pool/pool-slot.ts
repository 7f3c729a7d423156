import type { StopCause } from "../process/end-reason.ts";
import type { WarmServer } from "./warm-server.ts";

/** Whose use of which process. */
export interface PoolUse {
  /** Uses with the same key share a process. */
  readonly key: string;
  /** What is started, whatever session it is for: what fails at its start fails for all. */
  readonly launchKey: string;
  /** Whose call it is: who shares a process has no part in the crashes of others. */
  readonly owner: string;
}

/** The place of one key's process, from the wish to start it on. */
export class PoolSlot {
  readonly key: string;
  readonly launchKey: string;
  readonly startedAt: number;
  readonly started: Promise<WarmServer>;
  /** Set once the start has succeeded. */
  server: WarmServer | undefined;
  /** The owners of the runs that use it or wait for it, one for each run. */
  readonly #inFlight: string[] = [];
  readonly #served = new Set<string>();
  /** The owners of calls that ended without the server's answer: what these began may go on. */
  readonly #unanswered = new Set<string>();
  usedAt: number;
  /** Set when no further run may have it. */
  retiredBecause: StopCause | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ key, launchKey }: PoolUse, now: number, started: Promise<WarmServer>) {
    this.key = key;
    this.launchKey = launchKey;
    this.startedAt = now;
    this.usedAt = now;
    this.started = started.then((server) => (this.server = server));
  }

  /** Runs that use it or wait for it. */
  get users(): number {
    return this.#inFlight.length;
  }

  /** The one owner of all runs in flight; undefined when there are none, or several owners. */
  get soleUser(): string | undefined {
    const [first, ...others] = new Set(this.#inFlight);
    return others.length === 0 ? first : undefined;
  }

  /** The owner's call has ended, and the server may still be at it. */
  leaveUnanswered(owner: string): void {
    this.#unanswered.add(owner);
  }

  /** Nobody else's call may still be going on in it, and ask or log in the owner's. */
  isFreeFor(owner: string): boolean {
    return [...this.#unanswered].every((one) => one === owner);
  }

  enter(owner: string): void {
    this.#inFlight.push(owner);
    this.disarm();
  }

  /** A run gets the process; what it prints may be of any owner that it has served. */
  serve(owner: string, server: WarmServer): void {
    this.#served.add(owner);
    if (this.#served.size > 1) server.process.withholdStderr();
  }

  leave(owner: string, now: number): void {
    this.#inFlight.splice(this.#inFlight.indexOf(owner), 1);
    this.usedAt = now;
  }

  arm(idleMs: number, onIdle: () => void): void {
    this.disarm();
    this.#idleTimer = setTimeout(onIdle, idleMs);
  }

  disarm(): void {
    clearTimeout(this.#idleTimer);
  }
}
