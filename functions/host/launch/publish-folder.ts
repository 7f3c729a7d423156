import { chmod, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes an entry of a finished folder by one rename, so that nobody ever sees half of it. An entry
 * that is there already stays: an equal one came in meanwhile.
 */
export async function publishFolder(finished: string, entry: string): Promise<void> {
  await mkdir(dirname(entry), { recursive: true });
  await chmod(dirname(entry), 0o711);
  try {
    await rename(finished, entry);
  } catch (error) {
    if (!(await isFolder(entry))) throw error;
  }
}

export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
