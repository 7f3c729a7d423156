/** Ids that are remembered; the oldest go first. */
const maxRemembered = 10_000;

/** How things that have an id came to their end, for as long as there is room. */
export class RecentEnds<Reason> {
  readonly #reasons = new Map<string, Reason>();

  note(id: string, reason: Reason): void {
    this.#reasons.set(id, reason);
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size > maxRemembered && oldest !== undefined) this.#reasons.delete(oldest);
  }

  of(id: string): Reason | undefined {
    return this.#reasons.get(id);
  }
}
