import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { Log } from "../../log.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import type { NpmSettings } from "../../settings.ts";
import { waitFor } from "../../wait-for.ts";
import { type Manifest, manifestSchema } from "./choose-bin.ts";
import { npmFiles } from "./npm-command.ts";
import { entryName, isExact, type PackageSpec, specText } from "./package-spec.ts";
import { runNpm } from "./run-npm.ts";
import { TagMemory } from "./tag-memory.ts";

export interface InstalledPackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

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

/**
 * Packages of the npm registry, each version installed once. An entry appears by one rename when
 * its installation is whole; one installation serves all who ask meanwhile, and goes on when
 * they give up.
 */
export class PackageCache {
  readonly #options: PackageCacheOptions;
  readonly #tags: TagMemory;
  readonly #installing = new Map<string, Promise<InstalledPackage>>();
  readonly #closing = new AbortController();

  constructor(options: PackageCacheOptions) {
    this.#options = options;
    this.#tags = new TagMemory(join(options.root, "tags"), options.npm.tagTtlMs, options.now);
  }

  /**
   * The installed package; `signal` ends the caller's wait with its own reason.
   * @throws GatewayError INSTALL_FAILED, or the signal's reason.
   */
  async get(spec: PackageSpec, signal: AbortSignal): Promise<InstalledPackage> {
    return (await this.#find(spec)) ?? waitFor(this.#installOnce(spec), signal);
  }

  /** Kills installations that run. */
  async close(): Promise<void> {
    this.#closing.abort(
      new GatewayError("NOT_READY", "The host is shutting down.", { retryAfterS: 5 }),
    );
    await Promise.allSettled(this.#installing.values());
  }

  async #find(spec: PackageSpec): Promise<InstalledPackage | null> {
    const version = isExact(spec.version) ? spec.version : await this.#tags.recall(spec);
    return version === null ? null : this.#readEntry({ name: spec.name, version });
  }

  #installOnce(spec: PackageSpec): Promise<InstalledPackage> {
    const key = specText(spec);
    const running = this.#installing.get(key);
    if (running !== undefined) return running;
    const started = this.#install(spec).finally(() => this.#installing.delete(key));
    this.#installing.set(key, started);
    started.catch(() => {
      /* Told to those who wait; it must not count as unhandled when they have all gone. */
    });
    return started;
  }

  async #install(spec: PackageSpec): Promise<InstalledPackage> {
    const startedAt = this.#options.now();
    try {
      const installed = await this.#installFresh(spec);
      this.#options.log.info(
        {
          package: specText(spec),
          version: installed.manifest.version,
          ms: this.#options.now() - startedAt,
        },
        "package installed",
      );
      return installed;
    } catch (error) {
      const earlier = await this.#findEarlier(spec);
      this.#options.log.warn(
        { package: specText(spec), fallback: earlier?.manifest.version },
        "package could not be installed",
      );
      if (earlier === null || this.#closing.signal.aborted) throw error;
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
    return this.#readEntry({ name: spec.name, version });
  }

  async #installFresh(spec: PackageSpec): Promise<InstalledPackage> {
    const { root, stagingFolder, npm, watcher } = this.#options;
    const files = npmFiles(root);
    await mkdir(files.home, { recursive: true, mode: 0o700 });
    await Promise.all([writeFile(files.userConfig, ""), writeFile(files.globalConfig, "")]);
    const folder = await mkdtemp(join(stagingFolder, "npm-"));
    try {
      await writeFile(join(folder, "package.json"), '{"private":true}\n');
      const signal = AbortSignal.any([
        this.#closing.signal,
        installDeadline(npm.maxInstallMs, spec),
      ]);
      await runNpm({ spec: specText(spec), folder, files, npm, watcher, signal });
      return await this.#publish(spec, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #publish(spec: PackageSpec, folder: string): Promise<InstalledPackage> {
    const manifest = await readManifest(folder, spec.name);
    const exact = {
      name: spec.name,
      version: isExact(spec.version) ? spec.version : manifest.version,
    };
    const entry = this.#entryFolder(exact);
    await mkdir(join(entry, ".."), { recursive: true, mode: 0o700 });
    await rename(folder, entry).catch(async (error: unknown) => {
      if (!(await isFolder(entry))) throw error; // Else the same version came in by another spec.
    });
    if (!isExact(spec.version)) await this.#tags.remember(spec, manifest.version);
    return { folder: join(entry, "node_modules", spec.name), manifest };
  }

  async #readEntry(spec: PackageSpec): Promise<InstalledPackage | null> {
    const entry = this.#entryFolder(spec);
    if (!(await isFolder(entry))) return null;
    return {
      folder: join(entry, "node_modules", spec.name),
      manifest: await readManifest(entry, spec.name),
    };
  }

  #entryFolder(spec: PackageSpec): string {
    return join(this.#options.root, "packages", entryName(spec));
  }
}

async function readManifest(entry: string, name: string): Promise<Manifest> {
  const path = join(entry, "node_modules", name, "package.json");
  const parsed = manifestSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
  if (parsed.success) return parsed.data;
  throw new GatewayError("INSTALL_FAILED", `The package ${name} has a broken package.json.`, {
    hint: "Use another version of the package.",
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

function installDeadline(maxInstallMs: number, spec: PackageSpec): AbortSignal {
  const late = new AbortController();
  const told = `The package ${specText(spec)} was not installed within ${maxInstallMs} ms.`;
  setTimeout(() => late.abort(new GatewayError("INSTALL_TIMEOUT", told)), maxInstallMs).unref();
  return late.signal;
}
