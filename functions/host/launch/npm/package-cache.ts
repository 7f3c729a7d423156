import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Isolation } from "../../isolation/open-isolation.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import type { NpmSettings } from "../../settings.ts";
import { InstallCache, type InstallCacheOptions } from "../install-cache.ts";
import { Seed, type SeedOptions } from "../seed.ts";
import { type InstalledPackage, PackageEntries } from "./package-entries.ts";
import { isExact, type PackageSpec, publishedBefore, specText } from "./package-spec.ts";
import { explainAge } from "./release-age.ts";
import { runNpm } from "./run-npm.ts";

export type PackageCache = InstallCache<InstalledPackage>;

export interface PackageCacheOptions extends Pick<
  InstallCacheOptions<InstalledPackage>,
  "root" | "stagingFolder" | "log" | "metrics" | "now" | "room"
> {
  readonly npm: NpmSettings;
  /** Packages that came with the image, laid out as `root`; null = none did. */
  readonly seedRoot: string | null;
  readonly isolation: Isolation | null;
  readonly watcher: GroupWatcher;
}

/** Packages of the npm registry; `root` holds the entries, npm's own cache and what tags meant. */
export function openPackageCache(options: PackageCacheOptions): PackageCache {
  const { npm, root, seedRoot, now } = options;
  const { tagTtlMs, maxInstallMs } = npm;
  const entries = new PackageEntries(join(root, "packages"));
  const seed = seedRoot === null ? null : openSeed(seedRoot, { tagTtlMs, now });
  return new InstallCache(
    {
      isExact,
      versionOf: ({ manifest }) => manifest.version,
      install: (spec, folder, signal) => install(options, { spec, folder, signal }),
      find: (spec) => entries.find(spec),
      publish: (spec, folder) => entries.publish(spec, folder),
    },
    { ...options, seed, runner: "npx", prefix: "npm-", tagTtlMs, maxInstallMs },
  );
}

function openSeed(root: string, options: Omit<SeedOptions, "root">): Seed<InstalledPackage> {
  const entries = new PackageEntries(join(root, "packages"));
  return new Seed((spec) => entries.find(spec), { root, ...options });
}

interface Target {
  readonly spec: PackageSpec;
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function install(
  { npm, root, stagingFolder, isolation, watcher, log, now }: PackageCacheOptions,
  { spec, folder, signal }: Target,
): Promise<void> {
  await writeFile(join(folder, "package.json"), '{"private":true}\n');
  const place = { instanceFolder: stagingFolder, isolation, watcher, log };
  const { allowScripts: scripts } = spec.terms;
  const terms = { scripts, before: publishedBefore(spec.terms, now()) };
  try {
    await runNpm({ spec: specText(spec), folder, root, npm, terms, place, signal });
  } catch (error) {
    throw explainAge(error, spec);
  }
}
