import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** What is known of an entry before it is taken. */
export interface Entry {
  readonly uid: number;
  /** Milliseconds since 1970; when it was made. */
  readonly birthtimeMs: number;
}

/**
 * Takes a folder, and each below it, from everybody but root: who has it open writes to it no
 * more either. Each is shut before it is looked into, so that nobody puts a link in the place of
 * what is in it. To the folder around it nobody else may write.
 * @returns the first entry that `isWanted`, where it stops; null when all is shut
 */
export async function shutAll(
  path: string,
  isWanted: (entry: Entry) => boolean,
): Promise<Entry | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (isWanted(found)) return found;
  if (!found.isDirectory() || !(await shutFolder(path))) return null;
  for (const name of await readdir(path).catch(() => [])) {
    const wanted = await shutAll(join(path, name), isWanted);
    if (wanted !== null) return wanted;
  }
  return null;
}

/** Takes the folder alone; false when it is none, or the host may not take it. */
export async function shutFolder(folder: string): Promise<boolean> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => null);
  try {
    await handle?.chown(0, 0);
    await handle?.chmod(0o700);
    return handle !== null;
  } catch {
    return false; // A host that is not root: then it is its own already.
  } finally {
    await handle?.close();
  }
}
