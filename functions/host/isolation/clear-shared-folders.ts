import { lchown, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type OnWriter, removeTree } from "./remove-tree.ts";

/** Where every user of a machine may write. */
const sharedFolders = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock"];

/**
 * Removes what users have left in folders that everybody may write to: the next launch of such an
 * id would own it. False when something could not be removed.
 */
export async function clearSharedFolders(
  uids: ReadonlySet<number>,
  onWriter?: OnWriter,
): Promise<boolean> {
  const remove = (path: string) => removeIfOwned(path, uids, onWriter);
  const cleared = await Promise.all(sharedFolders.map((folder) => clear(folder, remove)));
  return cleared.every(Boolean);
}

async function clear(folder: string, remove: (path: string) => Promise<boolean>): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const removed = await Promise.all(paths.map(remove));
  return removed.every(Boolean);
}

async function removeIfOwned(
  path: string,
  uids: ReadonlySet<number>,
  onWriter?: OnWriter,
): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !uids.has(found.uid)) return true;
  try {
    // In a folder with the sticky bit an entry is removed by its owner alone.
    await lchown(path, 0, 0);
    return await removeTree(path, onWriter);
  } catch {
    return false;
  }
}
