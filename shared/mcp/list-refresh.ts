/**
 * Runs `refresh` on request: one at a time, and requests that come while it runs make it run
 * once more.
 */
export class ListRefresh {
  readonly #refresh: () => Promise<void>;
  #running = false;
  #again = false;

  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  /** Never rejects before `refresh` does; the caller of the first request gets its failure. */
  async request(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    try {
      do {
        this.#again = false;
        await this.#refresh();
      } while (this.#again);
    } finally {
      this.#running = false;
    }
  }
}
