/** Counts, by name, the events that a limit kept back. */
export class DropCounter {
  readonly #counts = new Map<string, number>();

  /** `mayPass`, with every refusal counted under `name`. */
  watch(name: string, mayPass: () => boolean): () => boolean {
    return () => {
      const passes = mayPass();
      if (!passes) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      return passes;
    };
  }

  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
