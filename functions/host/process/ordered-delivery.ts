interface Delivery {
  readonly run: () => void;
  /** What comes next waits until this one's effects have run their course. */
  readonly settles: boolean;
}

/**
 * Hands out deliveries in order. The SDK handles notifications one microtask later than answers:
 * a progress note in the same chunk as the answer would find its call already over.
 */
export class OrderedDelivery {
  readonly #waiting: Delivery[] = [];
  #paused = false;

  push(delivery: Delivery): void {
    this.#waiting.push(delivery);
    if (!this.#paused) this.#deliver();
  }

  #deliver(): void {
    this.#paused = false;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next.run();
      if (!next.settles) continue;
      this.#paused = true;
      setImmediate(() => this.#deliver());
      return;
    }
  }
}
