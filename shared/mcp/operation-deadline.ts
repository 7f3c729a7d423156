import type { OperationOptions } from "./session-types.ts";

/** Why an operation was ended from our side. */
export type DeadlineReason = "timeout" | "cancelled";

/**
 * The time limit of one operation together with the caller's wish to end it. `signal` aborts on
 * whichever comes first, and `reason` tells which it was. A clock that is set changes nothing.
 */
export class OperationDeadline {
  readonly #controller = new AbortController();
  #startedAt = performance.now();
  #endsAt = Number.POSITIVE_INFINITY;
  #timeoutMs: number;
  #extendsToMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: DeadlineReason | null = null;
  #limit: string;

  constructor(options: OperationOptions) {
    this.#timeoutMs = options.timeoutMs;
    this.#extendsToMs = Math.max(options.extendsToMs ?? 0, options.timeoutMs);
    this.#caller = options.signal;
    this.#limit = `${options.timeoutMs} ms`;
    this.#arm(options.timeoutMs);
    if (this.#caller?.aborted === true) this.#end("cancelled");
    this.#caller?.addEventListener("abort", this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): DeadlineReason | null {
    return this.#reason;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /** The limit that counts now, as the end of a sentence: `2000 ms`, `2000 ms of its last progress`. */
  get limit(): string {
    return this.#limit;
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** Milliseconds until the time limit, as it stands without further progress. */
  get remainingMs(): number {
    return Math.max(0, this.#timeoutMs - this.elapsedMs);
  }

  /** Progress was seen: the time limit starts again, up to the total. */
  extend(): void {
    if (this.#reason !== null || this.#endsAt === Number.POSITIVE_INFINITY) return;
    const totalLeftMs = this.#extendsToMs - this.elapsedMs;
    this.#limit =
      totalLeftMs < this.#timeoutMs
        ? `${this.#extendsToMs} ms in all`
        : `${this.#timeoutMs} ms of its last progress`;
    this.#arm(Math.min(this.#timeoutMs, totalLeftMs));
  }

  /** The time that `wait` takes does not count; the caller's wish to end it does. */
  async whilePaused<Result>(wait: () => Promise<Result> | undefined): Promise<Result | undefined> {
    const waiting = wait();
    if (waiting === undefined) return undefined;
    const pausedAt = performance.now();
    const leftMs = this.#endsAt - pausedAt;
    this.#disarm();
    try {
      return await waiting;
    } finally {
      this.#startedAt += performance.now() - pausedAt;
      if (this.#reason === null) this.#arm(leftMs);
    }
  }

  /** Stops the time until `restart`, whatever progress is told; the caller may still end it. */
  pause(): void {
    this.#disarm();
    this.#endsAt = Number.POSITIVE_INFINITY;
  }

  /** The operation has this time from now on. */
  restart({ timeoutMs, extendsToMs = 0 }: Pick<OperationOptions, "timeoutMs" | "extendsToMs">) {
    if (this.#reason !== null) return;
    this.#startedAt = performance.now();
    this.#timeoutMs = timeoutMs;
    this.#extendsToMs = Math.max(extendsToMs, timeoutMs);
    this.#limit = `${timeoutMs} ms`;
    this.#arm(timeoutMs);
  }

  /** Ends the watch; the operation is over. */
  [Symbol.dispose](): void {
    this.#disarm();
    this.#caller?.removeEventListener("abort", this.#cancel);
  }

  #arm(ms: number): void {
    this.#disarm();
    this.#endsAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.#end("timeout"), Math.max(0, ms));
  }

  readonly #cancel = (): void => this.#end("cancelled");

  #end(reason: DeadlineReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#disarm();
    this.#controller.abort(reason);
  }

  #disarm(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
