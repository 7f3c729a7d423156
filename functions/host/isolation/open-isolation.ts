import { spawnSync } from "node:child_process";
import { closeSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "../log.ts";
import { SettingsError } from "../setting-readers.ts";
import type { HostSettings } from "../settings.ts";
import { claimIds } from "./identity-blocks.ts";
import { type Identity, identityOf } from "./identity.ts";
import { IdentityPool } from "./identity-pool.ts";
import { spareUids } from "./isolation-settings.ts";
import { type LimitCommand, limitCommand } from "./limit-launch.ts";
import { letLaunchesPass } from "./open-folders.ts";
import { usedUids } from "./processes-of.ts";
import { neededCapabilities, readRights } from "./process-rights.ts";
import { tryLaunch } from "./trial-launch.ts";
import { findUtilLinux, type UtilLinux } from "./util-linux.ts";

/** How launches and installers are kept from the host and from each other. */
export interface Isolation {
  /** What launches run as. */
  readonly identities: IdentityPool;
  /** What npm and uv run as: owns what is installed. */
  readonly installer: Identity;
  readonly limit: LimitCommand;
  /** Path of util-linux's setpriv. */
  readonly setpriv: string;
  /** Open files that keep the ids this host's own; whoever ends what they run holds them too. */
  readonly locks: readonly number[];
}

export interface IsolationDependencies {
  readonly instanceFolder: string;
  readonly log: Log;
}

/**
 * Makes sure that launches can be isolated, by starting one. In development, null where they
 * cannot: they run as the host's own user.
 * @throws SettingsError in production, naming what is missing and the remedy.
 */
export function openIsolation(
  settings: HostSettings,
  deps: IsolationDependencies,
): Isolation | null {
  try {
    return open(settings, deps);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    if (!settings.development) throw new SettingsError(`${error.message} ${developmentHint}`);
    deps.log.warn({ reason: error.message }, "launches run as the host's own user");
    return null;
  }
}

const developmentHint =
  "Where every server may be trusted with the host's user, GANGWAY_HOST_DEVELOPMENT=true starts it without.";

function open(settings: HostSettings, { instanceFolder }: IsolationDependencies): Isolation {
  const tools = checkHost();
  const { isolation, dataDir, maxProcesses, development, npm, uv } = settings;
  const claimed = claimIds({
    range: isolation.launchUids,
    needed: maxProcesses + spareUids,
    dataDir,
    flock: tools.flock,
  });
  if (claimed === null) throw noIdsLeft();
  try {
    process.umask(0o077); // Launches inherit it: what they write is theirs alone.
    letLaunchesPass(dataDir, dirname(instanceFolder), instanceFolder);
    const used = usedUids();
    const [first, ...more] = claimed.uids.filter((uid) => !used.has(uid));
    if (first === undefined) throw noIdsLeft();
    const installer = identityOf(isolation.installerUid);
    const limit = limitCommand(tools, isolation);
    const metadata = development ? null : isolation.metadata;
    tryLaunch({ identity: identityOf(first), limit, instanceFolder, metadata });
    for (const path of [npm.cli, npm.environment["NODE_EXTRA_CA_CERTS"], uv.uv])
      if (typeof path === "string") checkReadable(path, installer);
    const identities = new IdentityPool([...more, first]);
    return { identities, installer, limit, setpriv: tools.setpriv, locks: claimed.locks };
  } catch (error) {
    for (const lock of claimed.locks) closeSync(lock);
    throw error;
  }
}

function checkHost(): UtilLinux {
  const start = "start the host as root with the capabilities";
  const needed = neededCapabilities.join(", ");
  if (process.platform !== "linux")
    throw new SettingsError("Launches are isolated on Linux alone; run the host there.");
  if (process.getuid?.() !== 0)
    throw new SettingsError(`The host does not run as root; ${start} ${needed}.`);
  const tools = findUtilLinux();
  if ("missing" in tools)
    throw new SettingsError(`The machine lacks ${tools.missing.join(", ")}; install util-linux.`);
  const { permitted, noNewPrivileges } = readRights(readFileSync("/proc/self/status", "utf8"));
  const missing = neededCapabilities.filter((name) => !permitted.includes(name));
  if (missing.length > 0)
    throw new SettingsError(`The host lacks ${missing.join(", ")}; ${start} ${needed}.`);
  const more = permitted.filter((name) => !neededCapabilities.some((one) => one === name));
  if (more.length > 0 || !noNewPrivileges)
    throw new SettingsError(
      `The host could not lay down rights (${more.join(", ") || "it may gain new ones"}); ${start} ${needed} and no others, or with SETPCAP too.`,
    );
  return tools;
}

function checkReadable(path: string, { uid, gid }: Identity): void {
  if (spawnSync("/usr/bin/test", ["-r", path], { uid, gid, env: {} }).status === 0) return;
  throw new SettingsError(
    `Installers (user id ${uid}) cannot read ${path}; install it where every user may read it.`,
  );
}

function noIdsLeft(): SettingsError {
  return new SettingsError(
    "Other hosts or programs of this machine use the ids of GANGWAY_HOST_LAUNCH_UIDS; set it to a larger range, or to one that nobody uses.",
  );
}
