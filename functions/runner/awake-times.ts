const storageKey = "awake";
/** What has no name of its own: launches, and calls that wait for their caller. */
const common = "";
/** A time is written so far ahead that not every run costs a write. */
const aheadMs = 10_000;
/** Sessions that are known by their names; further ones count as common. */
const mostNames = 100;

/**
 * How long a tenant's container is needed, by what needs it. Nothing makes a time shorter but its
 * end. The times outlive the object in memory: one that is made anew has them up to ten seconds late.
 */
export class AwakeTimes {
  readonly #kv: SyncKvStorage;
  readonly #now: () => number;
  readonly #until: Map<string, number>;
  #written: Readonly<Record<string, number>>;

  /** `now` tells milliseconds since 1970. */
  constructor(kv: SyncKvStorage, now: () => number) {
    this.#kv = kv;
    this.#now = now;
    this.#written = kv.get<Record<string, number>>(storageKey) ?? {};
    this.#until = new Map(Object.entries(this.#written));
  }

  /** Milliseconds for which the container is needed from now on; 0 = nothing needs it. */
  get dueMs(): number {
    return Math.max(0, Math.max(0, ...this.#until.values()) - this.#now());
  }

  /** Needed for so long, or until it was needed before. `name` = a session's; else common. */
  keep(ms: number, name: string = common): void {
    const known = this.#until.has(name) || this.#until.size < mostNames ? name : common;
    const until = Math.max(this.#until.get(known) ?? 0, this.#now() + ms);
    this.#until.set(known, until);
    if ((this.#written[known] ?? 0) < until) this.#write();
  }

  /** The session needs it no more. */
  end(name: string): void {
    if (this.#until.delete(name)) this.#write();
  }

  /** The container is gone, and with it all that needed it. */
  clear(): void {
    this.#until.clear();
    this.#write();
  }

  #write(): void {
    const now = this.#now();
    for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name);
    this.#written = Object.fromEntries<number>(
      [...this.#until].map(([name, until]) => [name, until + aheadMs]),
    );
    this.#kv.put(storageKey, this.#written);
  }
}
