import { lstatSync, mkdirSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Log } from "./log.ts";
import { SettingsError } from "./setting-readers.ts";

const sticky = 0o1000;
const remedy = "set GANGWAY_HOST_DATA_DIR to a folder of the host's own user with mode 0700";

/**
 * Makes the data folder, or checks the one that is there: whoever else can write to it, or put
 * another one in its place, decides what code the host runs. In development the latter is warned of.
 * @throws SettingsError when it cannot be made, or others may write to it or replace it.
 */
export function openDataFolder(
  path: string,
  { development, log }: { readonly development: boolean; readonly log: Pick<Log, "warn"> },
): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new SettingsError(`The data folder ${path} cannot be made (${code}); ${remedy}.`);
  }
  const { uid, mode } = statSync(path);
  const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
  if (!isOurs) throw new SettingsError(`Others may write to the data folder ${path}; ${remedy}.`);
  const open = openFolderAbove(resolve(path));
  if (open === null) return;
  const told = `Others may put another data folder in the place of ${path}, since they may write to ${open}; ${remedy}, below folders that are root's or the host's own and that others may not write to, or that have the sticky bit.`;
  if (!development) throw new SettingsError(told);
  log.warn(told);
}

/** The first folder on the way to `path`, links included, in which others may rename what they like. */
function openFolderAbove(path: string): string | null {
  const folder = dirname(path);
  if (folder === path) return null;
  const above = openFolderAbove(folder);
  if (above !== null) return above;
  if (mayOthersRename(statSync(folder))) return folder;
  const entry = lstatSync(path);
  if (!isTrusted(entry.uid)) return path;
  return entry.isSymbolicLink() ? openFolderAbove(resolve(folder, readlinkSync(path))) : null;
}

function mayOthersRename({ uid, gid, mode }: Stats): boolean {
  if (!isTrusted(uid)) return true;
  const isShared = gid !== 0 && gid !== process.getgid?.();
  const mayWrite = (mode & (isShared ? 0o022 : 0o002)) !== 0;
  return mayWrite && (mode & sticky) === 0;
}

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.getuid?.();
}
