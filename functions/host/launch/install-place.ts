import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Identity } from "../isolation/identity.ts";
import { giveToInstaller, showToInstaller } from "../isolation/installer-files.ts";
import { type PlaceDependencies, openPlace } from "../process/process-place.ts";
import type { Argv } from "../process/spawn-server.ts";
import { letLaunchesRead } from "./let-launches-read.ts";
import { onlyPlainFiles } from "./only-plain-files.ts";

/** As whom a package is installed, and with which folders besides the package's own. */
export interface InstallPlace {
  /** Holds the installer's home and cache. */
  readonly root: string;
  /** null = the host's own user. */
  readonly identity: Identity | null;
  readonly limit: (argv: Argv) => Argv;
  /** Has the installer read its home and the files that the host has written there. */
  readonly showHome: (home: string, files: readonly string[]) => Promise<void>;
  /** Makes a folder the installer's own. */
  readonly give: (folder: string) => Promise<void>;
  /** Makes a finished installation readable to launches, and writable to none. */
  readonly finish: (folder: string) => Promise<void>;
  readonly leave: () => Promise<void>;
}

export interface Installing {
  /** Is made the installer's. */
  readonly folder: string;
  /** The folder of the installer that outlives the host. */
  readonly root: string;
  /** Code of packages runs at the installation. */
  readonly runsCode: boolean;
}

/**
 * Where packages run code, installing is like launching them: under an id of its own, with folders
 * that nobody else uses, and nothing is left that runs. What it has installed is root's then.
 */
export async function openInstallPlace(
  { folder, root, runsCode }: Installing,
  deps: PlaceDependencies,
): Promise<InstallPlace> {
  const { isolation } = deps;
  if (isolation === null)
    return { ...unisolated, root, ...(runsCode ? { finish: onlyPlainFiles } : {}) };
  if (runsCode) return openGuestPlace(folder, deps);
  const { installer, limit } = isolation;
  await giveToInstaller(folder, installer);
  return {
    root,
    identity: installer,
    limit: limit.installer,
    // They stay the host's: what else runs as the installer cannot steer it by them.
    showHome: (home, files) => showToInstaller(home, files, installer),
    give: (own) => giveToInstaller(own, installer),
    finish: (installed) => letLaunchesRead(installed, installer),
    leave: nothing,
  };
}

const nothing = async (): Promise<void> => undefined;
const unisolated: Omit<InstallPlace, "root"> = {
  identity: null,
  limit: (argv) => argv,
  showHome: nothing,
  give: nothing,
  finish: nothing,
  leave: nothing,
};

async function openGuestPlace(folder: string, deps: PlaceDependencies): Promise<InstallPlace> {
  const place = await openPlace(deps);
  const { identity, directories } = place;
  if (identity === null) return { ...unisolated, root: directories.home, leave: place.leave };
  await giveToInstaller(folder, identity);
  const finish = async (installed: string) => {
    await deps.isolation?.identities.end(identity);
    await letLaunchesRead(installed, identity);
    await onlyPlainFiles(installed);
    await becomeRoots(installed);
  };
  return {
    root: directories.home,
    identity,
    limit: place.limit,
    showHome: (home) => giveToInstaller(home, identity),
    give: (own) => giveToInstaller(own, identity),
    finish,
    leave: place.leave,
  };
}

/** The id is another's soon. */
async function becomeRoots(folder: string): Promise<void> {
  const args = ["-hR", "0:0", "--", folder];
  await once(spawn("/bin/chown", args, { cwd: "/", env: {}, stdio: "ignore" }), "close");
}
