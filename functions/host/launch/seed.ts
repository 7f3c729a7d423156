import { join } from "node:path";
import type { Entry, Installer } from "./install-cache.ts";
import type { PackageSpec } from "./npm/package-spec.ts";
import { TagMemory } from "./npm/tag-memory.ts";

export interface SeedOptions {
  /** One runner's folder of the seed, laid out as the cache's own. */
  readonly root: string;
  readonly tagTtlMs: number;
  readonly now: () => number;
}

/** Packages that came with the host's image, to be read only; see prewarm.ts. */
export class Seed<Installed extends Entry> {
  readonly #find: Installer<Installed>["find"];
  readonly #tags: TagMemory;
  readonly #options: SeedOptions;
  readonly #openedAt: number;

  constructor(find: Installer<Installed>["find"], options: SeedOptions) {
    this.#find = find;
    this.#options = options;
    this.#tags = new TagMemory(join(options.root, "tags"), options.tagTtlMs, options.now);
    this.#openedAt = options.now();
  }

  /** The package of an exact version, or null. */
  find(spec: PackageSpec): Promise<Installed | null> {
    return this.#find(spec);
  }

  /** What a tag meant when the image was built; that holds for a tag's time to live from the host's start. */
  async recallTag(spec: PackageSpec): Promise<string | null> {
    const { now, tagTtlMs } = this.#options;
    return now() - this.#openedAt < tagTtlMs ? this.lastTag(spec) : null;
  }

  /** The same, however long the host runs. */
  lastTag(spec: PackageSpec): Promise<string | null> {
    return this.#tags.last(spec);
  }
}
