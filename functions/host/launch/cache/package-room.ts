import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Log } from "../../log.ts";
import type { HostMetrics } from "../../metrics/host-metrics.ts";
import { chooseLeaving, type KeptEntry } from "./choose-leaving.ts";
import { type EntryUse, EntryUses } from "./entry-uses.ts";
import { folderSize } from "./folder-size.ts";
import { HeldEntries } from "./held-entries.ts";
import { entryText } from "../npm/package-spec.ts";
import { Turns } from "../npm/turns.ts";

export interface PackageRoomOptions {
  /** Most that packages and downloads of all runners may take. */
  readonly maxBytes: number;
  /** The host's own folder; what leaves is moved there first, so that nobody sees half of it. */
  readonly instanceFolder: string;
  readonly log: Log;
  readonly metrics: HostMetrics;
  readonly now: () => number;
}

/** What one runner keeps on the disk. */
export interface Store {
  /** Holds `packages`, an entry each, and `cache`, the installer's downloads. */
  readonly root: string;
  /** Installations that run, whose downloads must stay. */
  readonly installing: () => number;
}

/**
 * The disk that installed packages may take. When they take more, the downloads go first, then
 * the packages that were not used for the longest time; never one from which a process runs.
 */
export class PackageRoom {
  readonly #options: PackageRoomOptions;
  readonly #stores: Store[] = [];
  readonly #held: HeldEntries;
  /** An entry is made, or taken away: one after the other. */
  readonly #turns = new Turns(1);
  #full = false;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: PackageRoomOptions) {
    this.#options = options;
    this.#held = new HeldEntries(options.instanceFolder);
  }

  add(store: Store): void {
    this.#stores.push(store);
  }

  /** An entry is about to be used, or was just made: it is the last to leave. */
  async touch(entry: string): Promise<void> {
    const uses = this.#usesOf(entry);
    if (uses === null) return;
    const name = basename(entry);
    const bytes = (await uses.read(name))?.bytes ?? (await folderSize(entry));
    await uses.write(name, { bytes, usedAt: this.#options.now() }).catch(() => {
      /* A full disk: the entry counts as used when it was made. */
    });
  }

  /** Makes an entry, or finds that it is there, while none is taken away, and counts it as used. */
  making<Made extends { readonly entry: string }>(make: () => Promise<Made>): Promise<Made> {
    return this.#turns.run(async () => {
      const made = await make();
      await this.touch(made.entry);
      return made;
    });
  }

  /** A process runs from an entry until what it returns is called. */
  hold(entry: string): () => void {
    const release = this.#held.hold(entry);
    return () => {
      release();
      void this.touch(entry);
    };
  }

  /** Makes everything fit again, one time after the other; never rejects. */
  tidy(): Promise<void> {
    this.#tidying = this.#tidying
      .then(() => this.#tidyOnce())
      .catch((error: unknown) => {
        const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        this.#options.log.warn({ reason }, "installed packages could not be counted");
      });
    return this.#tidying;
  }

  /** Resolves when no tidying is under way. */
  rest(): Promise<void> {
    return this.#tidying;
  }

  /** The disk has no room left: the downloads go with the next tidying. */
  noteFull(): void {
    this.#full = true;
  }

  async #tidyOnce(): Promise<void> {
    const { maxBytes, metrics, now } = this.#options;
    const entries = (await Promise.all(this.#stores.map((store) => this.#entries(store)))).flat();
    const packages = sum(entries.map(({ bytes }) => bytes));
    let downloads = await this.#downloadBytes();
    if ((this.#full || packages + downloads > maxBytes) && this.#mayDrop(downloads)) {
      for (const store of this.#stores) await this.#dropDownloads(store);
      this.#full = false;
      downloads = await this.#downloadBytes();
    }
    // No package leaves for downloads that go first, as soon as no installer needs them.
    const bytes = this.#isInstalling() ? maxBytes : maxBytes - downloads;
    let left = packages + downloads;
    for (const entry of chooseLeaving(entries, { bytes, now: now() })) {
      if (await this.#remove(entry)) left -= entry.bytes;
    }
    metrics.countedPackages(left);
  }

  #isInstalling(): boolean {
    return this.#stores.some(({ installing }) => installing() > 0);
  }

  /**
   * An installer needs its downloads; when it is done, there is the next tidying. But somebody may
   * always install: downloads that take all the room by themselves go even then.
   */
  #mayDrop(downloads: number): boolean {
    return !this.#isInstalling() || downloads > this.#options.maxBytes;
  }

  /** Removing others takes its time, in which a start may have come. */
  async #isUsedAgain({ path, usedAt }: KeptEntry): Promise<boolean> {
    const use = await this.#usesOf(path)?.read(basename(path));
    return (use?.usedAt ?? usedAt) > usedAt || this.#held.has(path);
  }

  async #downloadBytes(): Promise<number> {
    return sum(await Promise.all(this.#stores.map(({ root }) => folderSize(join(root, "cache")))));
  }

  async #entries({ root }: Store): Promise<KeptEntry[]> {
    const uses = new EntryUses(join(root, "uses"));
    const recorded = await uses.names(); // First: an entry is there before its record is.
    const names: string[] = await readdir(join(root, "packages")).catch(() => []);
    for (const name of recorded) if (!names.includes(name)) await uses.forget(name);
    return Promise.all(
      names.map(async (name) => {
        const path = join(root, "packages", name);
        const use = (await uses.read(name)) ?? (await measure(path));
        return { path, ...use, held: this.#held.has(path) };
      }),
    );
  }

  /** False when it is in use again. */
  async #remove(entry: KeptEntry): Promise<boolean> {
    const { path, bytes } = entry;
    const place = await this.#turns.run(async () => {
      if (await this.#isUsedAgain(entry)) return null;
      await this.#usesOf(path)?.forget(basename(path));
      return this.#takeAway(path);
    });
    if (place === null) return false;
    await rm(place, { recursive: true, force: true });
    this.#options.metrics.evictedPackage();
    const told = { package: entryText(basename(path)), bytes };
    this.#options.log.info(told, "package removed to make room");
    return true;
  }

  async #dropDownloads({ root }: Store): Promise<void> {
    const folder = join(root, "cache");
    for (const name of await readdir(folder).catch(() => []))
      await rm(await this.#takeAway(join(folder, name)), { recursive: true, force: true });
  }

  async #takeAway(path: string): Promise<string> {
    const place = join(this.#options.instanceFolder, `leaving-${randomUUID()}`);
    await rename(path, place);
    return place;
  }

  /** Null for what is no entry of these stores. */
  #usesOf(entry: string): EntryUses | null {
    const store = this.#stores.find(({ root }) => dirname(entry) === join(root, "packages"));
    return store === undefined ? null : new EntryUses(join(store.root, "uses"));
  }
}

/** An entry without a record counts as used when it was made. */
async function measure(path: string): Promise<EntryUse> {
  const usedAt = (await stat(path).catch(() => null))?.ctimeMs ?? 0;
  return { bytes: await folderSize(path), usedAt };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
