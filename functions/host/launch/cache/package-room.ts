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
    // An installer needs its downloads; when it is done, this is called again.
    if (this.#stores.some(({ installing }) => installing() > 0)) return;
    const entries = (await Promise.all(this.#stores.map((store) => this.#entries(store)))).flat();
    const packages = sum(entries.map(({ bytes }) => bytes));
    let downloads = await this.#downloadBytes();
    if (this.#full || packages + downloads > maxBytes) {
      for (const store of this.#stores) await this.#dropDownloads(store);
      this.#full = false;
      downloads = await this.#downloadBytes();
    }
    const leaving = chooseLeaving(entries, { bytes: maxBytes - downloads, now: now() });
    let left = packages + downloads;
    for (const entry of leaving) {
      if (await this.#isUsedAgain(entry)) continue;
      await this.#remove(entry);
      left -= entry.bytes;
    }
    metrics.countedPackages(left);
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

  async #remove({ path, bytes }: KeptEntry): Promise<void> {
    await this.#discard(path);
    await this.#usesOf(path)?.forget(basename(path));
    this.#options.metrics.evictedPackage();
    const told = { package: entryText(basename(path)), bytes };
    this.#options.log.info(told, "package removed to make room");
  }

  async #dropDownloads({ root }: Store): Promise<void> {
    const folder = join(root, "cache");
    for (const name of await readdir(folder).catch(() => []))
      await this.#discard(join(folder, name));
  }

  async #discard(path: string): Promise<void> {
    const place = join(this.#options.instanceFolder, `leaving-${randomUUID()}`);
    await rename(path, place);
    await rm(place, { recursive: true, force: true });
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
