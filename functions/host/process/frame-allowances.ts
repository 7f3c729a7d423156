/** How large a line may be that is read for any of the runs in flight: the largest of their limits. */
export class FrameAllowances {
  readonly #allowances = new Set<{ readonly bytes: number }>();
  readonly #apply: (bytes: number) => void;

  /** `apply` is called with the limit whenever it may have changed. */
  constructor(apply: (bytes: number) => void) {
    this.#apply = apply;
  }

  /** Allows lines of up to `bytes` until disposed of. */
  allow(bytes: number): Disposable {
    const allowance = { bytes };
    this.#allowances.add(allowance);
    this.#applyLargest();
    return {
      [Symbol.dispose]: () => {
        this.#allowances.delete(allowance);
        this.#applyLargest();
      },
    };
  }

  /** Without a run in flight the last limit stays: nobody waits for a line. */
  #applyLargest(): void {
    if (this.#allowances.size === 0) return;
    this.#apply(Math.max(...[...this.#allowances].map(({ bytes }) => bytes)));
  }
}
