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
import { prepareUvx } from "../uvx.ts";
import { pythonSpecText } from "./python-spec-text.ts";
import { runUv } from "./run-uv.ts";
import { type InstalledTool, ToolEntries } from "./tool-entries.ts";

/** Makes `uvx` servers possible where the machine has uv. */
export function openUvx(
  { dataDir, npm, uv: settings }: HostSettings,
  { watcher, instanceFolder, isolation, log, metrics, now, room }: RunnerDependencies,
): OpenRunner {
  const { uv } = settings;
  if (uv === null) return unavailable(noUv());
  const root = join(dataDir, "uvx");
  if (isolation !== null) openInstallFolders(root, isolation.installer);
  const entries = new ToolEntries(join(root, "packages"));
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
      tagTtlMs: npm.tagTtlMs,
      maxInstallMs: npm.maxInstallMs,
      room,
      log,
      metrics,
      now,
    },
  );
  return { prepare: prepareUvx(tools), endInstalls: () => tools.close(), close: nothing };
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
