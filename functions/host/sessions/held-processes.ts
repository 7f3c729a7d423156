export interface HeldLimits {
  /** Most that are held at the same time. */
  readonly most: number;
  /** Most of them for one owner. */
  readonly mostOfOne: number;
}

/**
 * Counts the processes that are held for one owner while nothing runs on them: sessions, and
 * calls that wait for their caller's answer. No other run can have such a process or its place,
 * so that nobody may hold them all.
 */
export class HeldProcesses {
  readonly #limits: HeldLimits;
  readonly #countByOwner = new Map<string, number>();
  #count = 0;

  constructor(limits: HeldLimits) {
    this.#limits = limits;
  }

  /** A place for one process more, given back by what is returned; null = there is none. */
  hold(owner: string): (() => void) | null {
    const own = this.#countByOwner.get(owner) ?? 0;
    if (this.#count >= this.#limits.most || own >= this.#limits.mostOfOne) return null;
    this.#count += 1;
    this.#countByOwner.set(owner, own + 1);
    let held = true;
    return () => {
      if (held) this.#giveBack(owner);
      held = false;
    };
  }

  #giveBack(owner: string): void {
    this.#count -= 1;
    const own = (this.#countByOwner.get(owner) ?? 1) - 1;
    if (own === 0) this.#countByOwner.delete(owner);
    else this.#countByOwner.set(owner, own);
  }
}
