/** Milliseconds by stage, as the contract's `timings_ms`. */
export class Stopwatch {
  readonly timings: Record<string, number> = {};
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Waits for a stage and notes how long it took, whether it succeeds or fails. */
  async time<Value>(stage: string, work: Promise<Value>): Promise<Value> {
    const startedAt = this.#now();
    try {
      return await work;
    } finally {
      this.timings[stage] = this.#now() - startedAt;
    }
  }
}
