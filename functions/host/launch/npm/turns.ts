/** Lets at most so many pieces of work run at once; the others wait for their turn, in order. */
export class Turns {
  readonly #atOnce: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
    this.#free = atOnce;
  }

  get running(): number {
    return this.#atOnce - this.#free;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
