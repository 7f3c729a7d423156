interface Delivery {
  readonly run: () => void;
  readonly isNotification: boolean;
  /** A request of the server's own, which nobody needs to answer once the server has ended. */
  readonly isRequest?: boolean;
}

interface DeliveryOptions {
  /** More is waiting than should: true until the backlog is gone. */
  readonly onBacklog: (exists: boolean) => void;
}

const backlogLength = 256;
/** Delivered entries are cut off the queue in pieces of at least this many: linear in all. */
const cutLength = 1024;

/**
 * Hands out a server's messages in order. The SDK handles notifications one microtask later than
 * answers: a progress note in the same chunk as the answer would find its call already over. So
 * whatever follows a notification and is none waits for one turn of the event loop.
 */
export class OrderedDelivery {
  readonly #options: DeliveryOptions;
  #queue: Delivery[] = [];
  /** How many entries of the queue have been delivered. */
  #delivered = 0;
  #paused = false;
  #delivering = false;
  #unsettled = false;
  #backlog = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Messages that wait. */
  get length(): number {
    return this.#queue.length - this.#delivered;
  }

  push(delivery: Delivery): void {
    this.#queue.push(delivery);
    if (!this.#paused && !this.#delivering) this.#deliver();
    if (this.length > backlogLength) this.#tellBacklog(true);
  }

  /** Takes the server's own requests out of what waits. */
  dropRequests(): void {
    this.#queue = this.#queue.slice(this.#delivered).filter(({ isRequest }) => isRequest !== true);
    this.#delivered = 0;
  }

  #deliver(): void {
    this.#delivering = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        this.#delivered += 1;
        this.#unsettled = next.isNotification;
        next.run();
      }
    } finally {
      this.#delivering = false;
    }
    this.#cut();
    if (this.length > 0) this.#pause();
    else this.#tellBacklog(false);
  }

  /** What may be delivered now. */
  #next(): Delivery | undefined {
    const next = this.#queue[this.#delivered];
    return this.#unsettled && next?.isNotification === false ? undefined : next;
  }

  #cut(): void {
    if (this.length > 0 && this.#delivered < Math.max(cutLength, this.length)) return;
    this.#queue = this.#queue.slice(this.#delivered);
    this.#delivered = 0;
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
