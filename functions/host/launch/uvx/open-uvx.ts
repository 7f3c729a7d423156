import { join } from "node:path";
import { openInstallFolders } from "../../isolation/open-folders.ts";
import type { HostSettings } from "../../settings.ts";
import { InstallCache } from "../install-cache.ts";
import { type PackageSpec, publishedBefore } from "../npm/package-spec.ts";
import {
  launcherUnavailable,
  nothing,
  type OpenRunner,
  type RunnerDependencies,
  unavailable,
} from "../prepare.ts";
import { Seed, type SeedOptions } from "../seed.ts";
import { prepareUvx } from "../uvx.ts";
import { pythonSpecText } from "./python-spec-text.ts";
import { runUv } from "./run-uv.ts";
import { type InstalledTool, ToolEntries } from "./tool-entries.ts";

/** Makes `uvx` servers possible where the machine has uv. */
export function openUvx(
  { dataDir, npm, seedDir, uv: settings }: Pick<HostSettings, "dataDir" | "npm" | "seedDir" | "uv">,
  { watcher, instanceFolder, isolation, log, metrics, now, room }: RunnerDependencies,
): OpenRunner {
  const { uv } = settings;
  if (uv === null) return unavailable(noUv());
  const root = join(dataDir, "uvx");
  if (isolation !== null) openInstallFolders(root, isolation.installer);
  const entries = new ToolEntries(join(root, "packages"));
  const { tagTtlMs, maxInstallMs } = npm;
  const seedRoot = seedDir === null ? null : join(seedDir, "uvx");
  const seed = seedRoot === null ? null : openSeed(seedRoot, { tagTtlMs, now });
  const install = ({ name, version, terms }: PackageSpec, folder: string, signal: AbortSignal) =>
    runUv({
      uv,
      settings,
      root,
      folder,
      place: { instanceFolder, isolation, watcher, log },
      signal,
      spec: pythonSpecText({ package: name, version }),
      before: publishedBefore(terms, now()),
    });
  const tools = new InstallCache<InstalledTool>(
    {
      isExact,
      install,
      versionOf: ({ version }) => version,
      find: (spec) => entries.find(spec),
      publish: (spec, folder) => entries.publish(spec, folder, isExact(spec.version)),
    },
    {
      runner: "uvx",
      root,
      stagingFolder: instanceFolder,
      prefix: "uv-",
      seed,
      tagTtlMs,
      maxInstallMs,
      room,
      log,
      metrics,
      now,
    },
  );
  return { prepare: prepareUvx(tools), endInstalls: () => tools.close(), close: nothing };
}

function openSeed(root: string, options: Omit<SeedOptions, "root">): Seed<InstalledTool> {
  const entries = new ToolEntries(join(root, "packages"));
  return new Seed((spec) => entries.find(spec), { root, ...options });
}

/** uvx has no tags but `@latest`, which is no version here. */
function isExact(version: string | null): version is string {
  return version !== null;
}

const noUv = () =>
  launcherUnavailable(
    "uvx",
    "it has no uv",
    "Install uv on the host, set GANGWAY_HOST_UV to its path",
  );
