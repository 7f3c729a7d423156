import { join } from "node:path";
import { openInstallFolders } from "../isolation/open-folders.ts";
import type { HostSettings } from "../settings.ts";
import { openPackageCache } from "./npm/package-cache.ts";
import { prepareNpx } from "./npx.ts";
import { nothing, type OpenRunner, type RunnerDependencies } from "./prepare.ts";

/** Makes `npx` servers possible; a host is not there without npm. */
export function openNpx(
  { dataDir, npm, seedDir }: Pick<HostSettings, "dataDir" | "npm" | "seedDir">,
  deps: RunnerDependencies,
): OpenRunner {
  const { instanceFolder: stagingFolder, ...shared } = deps;
  const root = join(dataDir, "npm");
  if (deps.isolation !== null) openInstallFolders(root, deps.isolation.installer);
  const seedRoot = seedDir === null ? null : join(seedDir, "npm");
  const packages = openPackageCache({ npm, root, seedRoot, stagingFolder, ...shared });
  return { prepare: prepareNpx(packages), endInstalls: () => packages.close(), close: nothing };
}
