import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, chownSync } from "node:fs";
import { join } from "node:path";
import { holdsForeign } from "./foreign-files.ts";
import type { Identity } from "./identity.ts";

const readable = 0o005;

/** Launches may pass through these folders of the host; they can list and change none of them. */
export function letLaunchesPass(...folders: readonly string[]): void {
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711);
  }
}

/**
 * Makes the folders of one installer: `packages` for launches to read, `cache` for the installer
 * alone. What somebody else than this installer has made in them is removed (it may be an id that
 * a launch has now), and so is what launches could not read. A cache that is not wholly the
 * installer's, as a host of an earlier version has left it, is made anew.
 */
export function openInstallFolders(root: string, installer: Identity): void {
  const packages = join(root, "packages");
  letLaunchesPass(root, packages);
  for (const name of readdirSync(packages)) removeOthers(join(packages, name), installer);
  const cache = join(root, "cache");
  if (!isCacheOf(cache, installer)) remove(cache);
  mkdirSync(cache, { recursive: true });
  handOver(cache, installer);
}

function removeOthers(path: string, { uid }: Identity): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid === uid) return;
  const isRoots = found.uid === 0 && (found.mode & readable) === readable;
  if (!isRoots) remove(path);
}

function isCacheOf(path: string, installer: Identity): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() === true && !holdsForeign(path, installer);
  } catch {
    return false; // What cannot be looked through is of no use.
  }
}

/** The system's own program holds each folder open on its way down: no link leads it elsewhere. */
function remove(path: string): void {
  spawnSync("/bin/rm", ["-rf", "--", path], { cwd: "/", env: {}, stdio: "ignore" });
}

/** The mode is set first: once it is somebody else's, a host without FOWNER could not. */
function handOver(folder: string, { uid, gid }: Identity): void {
  if (lstatSync(folder).uid === uid) return;
  chmodSync(folder, 0o700);
  chownSync(folder, uid, gid);
}
