import type { StopCause } from "../process/end-reason.ts";
import type { WarmServer } from "./warm-server.ts";

/** The place of one key's process, from the wish to start it on. */
export class PoolSlot {
  readonly key: string;
  readonly startedAt: number;
  readonly started: Promise<WarmServer>;
  /** Set once the start has succeeded. */
  server: WarmServer | undefined;
  /** Runs that use it or wait for it. */
  users = 0;
  usedAt: number;
  /** Set when no further run may have it. */
  retiredBecause: StopCause | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(key: string, now: number, started: Promise<WarmServer>) {
    this.key = key;
    this.startedAt = now;
    this.usedAt = now;
    this.started = started.then((server) => (this.server = server));
  }

  enter(): void {
    this.users += 1;
    this.disarm();
  }

  leave(now: number): void {
    this.users -= 1;
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
