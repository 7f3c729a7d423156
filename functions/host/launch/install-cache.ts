import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { removeTree } from "../isolation/remove-tree.ts";
import type { Log } from "../log.ts";
import type { PackageRoom } from "./cache/package-room.ts";
import { diskFull, isDiskFull } from "./disk-full.ts";
import type { HostMetrics } from "../metrics/host-metrics.ts";
import { entryName, type PackageSpec, specText } from "./npm/package-spec.ts";
import { TagMemory } from "./npm/tag-memory.ts";
import type { Seed } from "./seed.ts";
import { SharedInstalls } from "./shared-installs.ts";

/** What is installed stands in a folder of its own. */
export interface Entry {
  readonly entry: string;
}

/** How one kind of package is installed, and kept. */
export interface Installer<Installed extends Entry> {
  /** Whether a version means one program for ever. */
  readonly isExact: (version: string | null) => version is string;
  /** Installs the package into an empty folder. @throws GatewayError INSTALL_FAILED */
  readonly install: (spec: PackageSpec, folder: string, signal: AbortSignal) => Promise<void>;
  /** The entry of an exact version, or null. */
  readonly find: (spec: PackageSpec) => Promise<Installed | null>;
  readonly versionOf: (installed: Installed) => string;
  /** Makes an entry of a finished installation, whole or not at all. */
  readonly publish: (spec: PackageSpec, folder: string) => Promise<Installed>;
}

export interface InstallCacheOptions<Installed extends Entry> {
  /** Packages that came with the host's image; null = none did. */
  readonly seed: Seed<Installed> | null;
  /** Whose packages they are. */
  readonly runner: Launch["runner"];
  /** Keeps what tags meant; outlives the host. */
  readonly root: string;
  /** Where installations are made before they become entries; on the same file system as `root`. */
  readonly stagingFolder: string;
  /** Begins the names of staging folders. */
  readonly prefix: string;
  /** How long the host remembers what version a tag, or no version, meant. */
  readonly tagTtlMs: number;
  /** Most that one installation may take, whoever waits for it. */
  readonly maxInstallMs: number;
  readonly room: PackageRoom;
  readonly log: Log;
  readonly metrics: HostMetrics;
  readonly now: () => number;
}

/** Each installer takes a core and some 150 MB; more at once finish no sooner. */
const installsAtOnce = 4;

/**
 * Packages of a registry, each version installed once. One installation serves all who ask
 * meanwhile, and goes on when they give up.
 */
export class InstallCache<Installed extends Entry> {
  readonly #installer: Installer<Installed>;
  readonly #options: InstallCacheOptions<Installed>;
  readonly #tags: TagMemory;
  readonly #installs: SharedInstalls<Installed>;

  constructor(installer: Installer<Installed>, options: InstallCacheOptions<Installed>) {
    this.#installer = installer;
    this.#options = options;
    this.#tags = new TagMemory(join(options.root, "tags"), options.tagTtlMs, options.now);
    this.#installs = new SharedInstalls({
      ...options,
      atOnce: installsAtOnce,
      maxMs: options.maxInstallMs,
      onEnd: () => void options.room.tidy(),
    });
    options.room.add({ root: options.root, installing: () => this.#installs.count });
  }

  /**
   * The installed package; `signal` ends the caller's wait with its own reason.
   * @throws GatewayError INSTALL_FAILED, INSTALL_TIMEOUT, or the signal's reason.
   */
  async get(spec: PackageSpec, signal: AbortSignal): Promise<Installed> {
    const found = await this.#find(spec);
    this.#options.metrics.lookedUp(this.#options.runner, found === null ? "miss" : "hit");
    if (found !== null) {
      await this.#options.room.touch(found.entry);
      return found;
    }
    const work = (limit: AbortSignal) => this.#install(spec, limit);
    const tell = (installed: Installed) => ({ version: this.#installer.versionOf(installed) });
    const install = { key: entryName(spec), name: specText(spec), work, tell };
    return this.#installs.run(install, signal);
  }

  /** Keeps a package on the disk until what it returns is called. */
  hold({ entry }: Entry): () => void {
    return this.#options.room.hold(entry);
  }

  /** Kills installations that run. */
  close(): Promise<void> {
    return this.#installs.close();
  }

  async #find(spec: PackageSpec): Promise<Installed | null> {
    const version = await this.#versionOf(spec);
    return version === null ? null : this.#findExact({ ...spec, version });
  }

  async #versionOf(spec: PackageSpec): Promise<string | null> {
    if (this.#installer.isExact(spec.version)) return spec.version;
    const { seed } = this.#options;
    const recalled = await this.#tags.recall(spec);
    if (recalled !== null || seed === null) return recalled;
    // What was asked of the registry since is newer than what the image says.
    return (await this.#tags.last(spec)) === null ? seed.recallTag(spec) : null;
  }

  async #findExact(spec: PackageSpec): Promise<Installed | null> {
    return (await this.#installer.find(spec)) ?? (await this.#options.seed?.find(spec)) ?? null;
  }

  async #install(spec: PackageSpec, signal: AbortSignal): Promise<Installed> {
    try {
      return await this.#installFresh(spec, signal);
    } catch (error) {
      if (this.#installs.closing) throw error;
      const earlier = await this.#findEarlier(spec);
      if (earlier === null) throw error;
      const told = { package: specText(spec), fallback: this.#installer.versionOf(earlier) };
      this.#options.log.warn(told, "package could not be installed; an earlier version is used");
      return earlier;
    }
  }

  /**
   * A registry that is down does not take away the version that a tag last meant; it is not asked
   * again before the tag is out of date once more.
   */
  async #findEarlier(spec: PackageSpec): Promise<Installed | null> {
    if (this.#installer.isExact(spec.version)) return null;
    const { seed } = this.#options;
    const version = (await this.#tags.last(spec)) ?? (await seed?.lastTag(spec)) ?? null;
    if (version === null) return null;
    await this.#tags.remember(spec, version);
    return this.#findExact({ ...spec, version });
  }

  async #installFresh(spec: PackageSpec, signal: AbortSignal): Promise<Installed> {
    const { room, stagingFolder, prefix, root } = this.#options;
    let folder: string | undefined;
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
      folder = await mkdtemp(join(stagingFolder, prefix));
      return await this.#installInto(folder, spec, signal);
    } catch (error) {
      if (!(await isDiskFull(error, root))) throw error;
      room.noteFull();
      throw diskFull(error, specText(spec));
    } finally {
      if (folder !== undefined) await removeTree(folder);
    }
  }

  async #installInto(folder: string, spec: PackageSpec, signal: AbortSignal): Promise<Installed> {
    const { isExact, install, publish, versionOf } = this.#installer;
    await install(spec, folder, signal);
    const installed = await this.#options.room.making(() => publish(spec, folder));
    if (!isExact(spec.version)) await this.#tags.remember(spec, versionOf(installed));
    return installed;
  }
}
