import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { UidRange } from "./isolation-settings.ts";

/** Ids of this host alone for as long as anybody holds the locks. */
export interface ClaimedIds {
  readonly uids: readonly number[];
  /** Open files that hold the locks; the kernel lets go of them with their last holder. */
  readonly locks: readonly number[];
}

/** Every host of a machine cuts the ids into the same blocks, whatever its range. */
const blockSize = 64;
/** Where hosts of one machine meet; in a container, its own. */
const machineFolder = "/run/gangway-host";

export interface ClaimOptions {
  readonly range: UidRange;
  readonly needed: number;
  /** Holds the locks where the machine has no folder for them. */
  readonly dataDir: string;
  /** Path of util-linux's flock. */
  readonly flock: string;
}

/** Claims whole blocks until there are ids enough; null = other hosts have what there is. */
export function claimIds({ range, needed, dataDir, flock }: ClaimOptions): ClaimedIds | null {
  const folder = openLockFolder(machineFolder) ?? openLockFolder(join(dataDir, "uids")) ?? dataDir;
  const uids: number[] = [];
  const locks: number[] = [];
  for (const block of blocksOf(range)) {
    const lock = tryLock(join(folder, `uids-${block}`), flock);
    if (lock === null) continue;
    locks.push(lock);
    uids.push(...uidsOf(block, range));
    if (uids.length >= needed) return { uids, locks };
  }
  for (const lock of locks) closeSync(lock);
  return null;
}

function blocksOf({ first, last }: UidRange): number[] {
  const [from, to] = [Math.floor(first / blockSize), Math.floor(last / blockSize)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function uidsOf(block: number, { first, last }: UidRange): number[] {
  const all = Array.from({ length: blockSize }, (_, index) => block * blockSize + index);
  return all.filter((uid) => uid >= first && uid <= last);
}

/** The folder, made if it must be; null when others may write to it or it cannot be made. */
function openLockFolder(path: string): string | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return null;
    chmodSync(path, 0o700);
    return path;
  } catch {
    return null; // A read-only file system, as containers may have.
  }
}

/** The lock belongs to the open file: the child that takes it passes it on by its end. */
function tryLock(path: string, flock: string): number | null {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const { status } = spawnSync(flock, ["--nonblock", "3"], {
    stdio: ["ignore", "ignore", "ignore", file],
  });
  if (status === 0) return file;
  closeSync(file);
  return null;
}
