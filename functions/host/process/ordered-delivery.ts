interface Delivery {
  readonly run: () => void;
  readonly isNotification: boolean;
}

interface DeliveryOptions {
  /** More is waiting than should: true until the backlog is gone. */
  readonly onBacklog: (exists: boolean) => void;
}

const backlogLength = 256;

/**
 * Hands out a server's messages in order. The SDK handles notifications one microtask later than
 * answers: a progress note in the same chunk as the answer would find its call already over. So
 * whatever follows a notification and is none waits for one turn of the event loop.
 */
export class OrderedDelivery {
  readonly #options: DeliveryOptions;
  #waiting: Delivery[] = [];
  #paused = false;
  #unsettled = false;
  #backlog = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  push(delivery: Delivery): void {
    this.#waiting.push(delivery);
    if (!this.#paused) this.#deliver();
    if (this.#waiting.length > backlogLength) this.#tellBacklog(true);
  }

  #deliver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [index, next] of waiting.entries()) {
      if (this.#unsettled && !next.isNotification) {
        this.#waiting = [...waiting.slice(index), ...this.#waiting];
        this.#pause();
        return;
      }
      this.#unsettled = next.isNotification;
      next.run();
    }
    this.#tellBacklog(false);
  }

  #pause(): void {
    this.#paused = true;
    setImmediate(() => {
      this.#paused = false;
      this.#unsettled = false;
      this.#deliver();
    });
  }

  #tellBacklog(exists: boolean): void {
    if (this.#backlog === exists) return;
    this.#backlog = exists;
    this.#options.onBacklog(exists);
  }
}
