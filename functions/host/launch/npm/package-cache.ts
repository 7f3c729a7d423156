import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { deadline } from "../../deadline.ts";
import type { Log } from "../../log.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import type { NpmSettings } from "../../settings.ts";
import { waitFor } from "../../wait-for.ts";
import { npmFiles } from "./npm-command.ts";
import { type InstalledPackage, PackageEntries } from "./package-entries.ts";
import { isExact, type PackageSpec, specText } from "./package-spec.ts";
import { runNpm } from "./run-npm.ts";
import { TagMemory } from "./tag-memory.ts";
import { Turns } from "./turns.ts";

export interface PackageCacheOptions {
  readonly npm: NpmSettings;
  /** Holds the entries, npm's own cache and what tags meant; outlives the host. */
  readonly root: string;
  /** Where installations are made before they become entries; on the same file system as `root`. */
  readonly stagingFolder: string;
  readonly watcher: GroupWatcher;
  readonly log: Log;
  readonly now: () => number;
}

/** npm takes a core and some 150 MB for each; more at once finish no sooner. */
const installsAtOnce = 4;

/**
 * Packages of the npm registry, each version installed once. One installation serves all who ask
 * meanwhile, and goes on when they give up.
 */
export class PackageCache {
  readonly #options: PackageCacheOptions;
  readonly #entries: PackageEntries;
  readonly #tags: TagMemory;
  readonly #turns = new Turns(installsAtOnce);
  readonly #installing = new Map<string, Promise<InstalledPackage>>();
  readonly #closing = new AbortController();

  constructor(options: PackageCacheOptions) {
    this.#options = options;
    this.#entries = new PackageEntries(join(options.root, "packages"));
    this.#tags = new TagMemory(join(options.root, "tags"), options.npm.tagTtlMs, options.now);
  }

  /**
   * The installed package; `signal` ends the caller's wait with its own reason.
   * @throws GatewayError INSTALL_FAILED, or the signal's reason.
   */
  async get(spec: PackageSpec, signal: AbortSignal): Promise<InstalledPackage> {
    return (await this.#find(spec)) ?? (await waitFor(this.#installOnce(spec), signal));
  }

  /** Kills installations that run. */
  async close(): Promise<void> {
    const ending = new GatewayError("NOT_READY", "The host is shutting down.", { retryAfterS: 5 });
    this.#closing.abort(ending);
    await Promise.allSettled(this.#installing.values());
  }

  async #find(spec: PackageSpec): Promise<InstalledPackage | null> {
    const version = isExact(spec.version) ? spec.version : await this.#tags.recall(spec);
    return version === null ? null : this.#entries.find({ name: spec.name, version });
  }

  #installOnce(spec: PackageSpec): Promise<InstalledPackage> {
    const key = specText(spec);
    const running = this.#installing.get(key);
    if (running !== undefined) return running;
    const started = this.#turns
      .run(() => this.#install(spec))
      .finally(() => this.#installing.delete(key));
    this.#installing.set(key, started);
    started.catch(() => {
      /* Told to those who wait; it must not count as unhandled when they have all gone. */
    });
    return started;
  }

  async #install(spec: PackageSpec): Promise<InstalledPackage> {
    const { log, now } = this.#options;
    const startedAt = now();
    const told = { package: specText(spec) };
    try {
      const installed = await this.#installFresh(spec);
      const { version } = installed.manifest;
      log.info({ ...told, version, ms: now() - startedAt }, "package installed");
      return installed;
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      const earlier = await this.#findEarlier(spec);
      const fallback = earlier?.manifest.version;
      log.warn({ ...told, fallback, ms: now() - startedAt }, "package could not be installed");
      if (earlier === null) throw error;
      return earlier;
    }
  }

  /**
   * A registry that is down does not take away the version that a tag last meant; it is not asked
   * again before the tag is out of date once more.
   */
  async #findEarlier(spec: PackageSpec): Promise<InstalledPackage | null> {
    if (isExact(spec.version)) return null;
    const version = await this.#tags.last(spec);
    if (version === null) return null;
    await this.#tags.remember(spec, version);
    return this.#entries.find({ name: spec.name, version });
  }

  async #installFresh(spec: PackageSpec): Promise<InstalledPackage> {
    const { root, stagingFolder, npm, watcher } = this.#options;
    const files = npmFiles(root);
    await mkdir(files.home, { recursive: true, mode: 0o700 });
    await Promise.all([writeFile(files.userConfig, ""), writeFile(files.globalConfig, "")]);
    const folder = await mkdtemp(join(stagingFolder, "npm-"));
    using limit = installLimit(spec, npm.maxInstallMs);
    const signal = AbortSignal.any([this.#closing.signal, limit.signal]);
    try {
      await writeFile(join(folder, "package.json"), '{"private":true}\n');
      await runNpm({ spec: specText(spec), folder, files, npm, watcher, signal });
      const installed = await this.#entries.publish(spec, folder);
      if (!isExact(spec.version)) await this.#tags.remember(spec, installed.manifest.version);
      return installed;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function installLimit(spec: PackageSpec, ms: number): Disposable & { signal: AbortSignal } {
  const told = `The package ${specText(spec)} was not installed within ${ms} ms.`;
  return deadline(
    ms,
    new AbortController().signal,
    () => new GatewayError("INSTALL_TIMEOUT", told),
  );
}
