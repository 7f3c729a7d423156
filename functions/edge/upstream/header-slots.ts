/** One more is left for Gangway's own: the host, the secret store. Beyond, the platform would queue in silence. */
const maxWaiting = 5;

/** Gives a slot back; more than once does nothing. */
export type Release = () => void;

/**
 * How many connections of one request to Gangway wait for response headers at once: at most five,
 * the others in the order of their coming.
 * https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections
 */
export class HeaderSlots {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(slots = maxWaiting) {
    this.#free = slots;
  }

  /** Resolves when a slot is had. Rejects with the signal's reason when that aborts first. */
  async take(signal: AbortSignal | null | undefined): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let held = true;
    return () => {
      if (held) this.#giveOn();
      held = false;
    };
  }

  #turn(signal: AbortSignal | null | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      const place = this.#queue.indexOf(resolve);
      if (place !== -1) this.#queue.splice(place, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#queue.push(resolve);
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** To the next in the queue, whose slot it is from here on. */
  #giveOn(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
