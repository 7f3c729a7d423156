import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { PrewarmedPackage } from "../../../shared/policy/prewarm-spec.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { PackageRoom } from "../launch/cache/package-room.ts";
import { openNpx } from "../launch/open-npx.ts";
import type { RunnerDependencies } from "../launch/prepare.ts";
import { openUvx } from "../launch/uvx/open-uvx.ts";
import type { Log } from "../log.ts";
import { HostMetrics } from "../metrics/host-metrics.ts";
import { GroupWatcher } from "../process/group-watcher.ts";
import { openInstanceFolder } from "../process/instance-folder.ts";
import type { HostSettings } from "../settings.ts";

export type SeedSettings = Pick<HostSettings, "npm" | "uv">;

/** What installers leave that no start needs. */
const leftOver = [
  "npm/cache",
  "npm/home",
  "npm/uses",
  "uvx/cache",
  "uvx/home",
  "uvx/uses",
  "instances",
];

/**
 * Installs packages into a folder that hosts read as their seed, one after the other.
 * @throws GatewayError of the first that cannot be installed.
 */
export async function installSeed(
  folder: string,
  packages: readonly PrewarmedPackage[],
  { settings, install, log }: { settings: SeedSettings; install: Launch["install"]; log: Log },
): Promise<void> {
  const instanceFolder = openInstanceFolder(folder);
  const watcher = new GroupWatcher(instanceFolder, { isolation: null, log });
  const metrics = new HostMetrics("prewarm");
  const shared = { instanceFolder, watcher, log, metrics, now: () => Date.now() };
  const room = new PackageRoom({ ...shared, maxBytes: Number.POSITIVE_INFINITY });
  const deps: RunnerDependencies = { ...shared, room, isolation: null };
  const own = { ...settings, dataDir: folder, seedDir: null };
  const runners = { npx: openNpx(own, deps), uvx: openUvx(own, deps) };
  try {
    for (const one of packages) await prepare(runners[one.runner], launchOf(one, install));
  } finally {
    await room.rest();
    await watcher.close();
    for (const path of leftOver) await rm(join(folder, path), { recursive: true, force: true });
  }
  letAllRead(folder);
}

/** A package with several programs is there, though none of them is chosen yet. */
async function prepare(
  { prepare: install }: { prepare: ReturnType<typeof openNpx>["prepare"] },
  launch: Launch,
): Promise<void> {
  try {
    await install(launch, new AbortController().signal);
  } catch (error) {
    if (error instanceof GatewayError && error.code === "PROCESS_START_FAILED") return;
    throw error;
  }
}

function launchOf(one: PrewarmedPackage, install: Launch["install"]): Launch {
  const extras = one.runner === "uvx" && one.extras.length > 0 ? { extras: [...one.extras] } : {};
  return {
    runner: one.runner,
    package: one.package,
    version: one.version,
    bin: null,
    args: [],
    env: {},
    secret_env: {},
    encoding: "utf-8",
    ...extras,
    ...(install === undefined ? {} : { install }),
  };
}

/** Servers run as users of their own; nobody but the image's builder may write. */
function letAllRead(folder: string): void {
  const { status } = spawnSync("/bin/chmod", ["-R", "u+rwX,go+rX,go-w,a-s", "--", folder]);
  if (status === 0) return;
  throw new GatewayError("INSTALL_FAILED", "The installed files could not be made readable.");
}
