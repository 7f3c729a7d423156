import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The entries from which processes run. They are written into the host's own folder, so that
 * another host with the same data folder does not remove them; they go with that folder.
 */
export class HeldEntries {
  readonly #folder: string;
  readonly #instances: string;
  readonly #counts = new Map<string, number>();

  /** `instanceFolder` is this host's own, beside those of others. */
  constructor(instanceFolder: string) {
    this.#instances = dirname(instanceFolder);
    this.#folder = instanceFolder;
  }

  /** Holds an entry until what it returns is called. */
  hold(entry: string): () => void {
    const count = this.#counts.get(entry) ?? 0;
    this.#counts.set(entry, count + 1);
    if (count === 0) this.#write(entry);
    return () => this.#release(entry);
  }

  /** Whether this host, or another one, holds it. */
  has(entry: string): boolean {
    if (this.#counts.has(entry)) return true;
    const file = nameOf(entry);
    const instances = readdirSync(this.#instances);
    return instances.some((name) => existsSync(join(this.#instances, name, file)));
  }

  #release(entry: string): void {
    const count = (this.#counts.get(entry) ?? 0) - 1;
    if (count > 0) this.#counts.set(entry, count);
    else {
      this.#counts.delete(entry);
      rmSync(join(this.#folder, nameOf(entry)), { force: true });
    }
  }

  #write(entry: string): void {
    try {
      writeFileSync(join(this.#folder, nameOf(entry)), "");
    } catch {
      // A full disk keeps no server from starting; only other hosts do not know of it.
    }
  }
}

function nameOf(entry: string): string {
  return `held-${createHash("sha256").update(entry).digest("hex")}`;
}
