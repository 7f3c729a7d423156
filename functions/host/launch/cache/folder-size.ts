import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const blockBytes = 512;

/** Bytes that a folder takes on the disk, and all below it; what goes meanwhile counts nothing. */
export async function folderSize(path: string): Promise<number> {
  const own = await lstat(path).catch(() => null);
  if (own === null) return 0;
  let bytes = own.blocks * blockBytes;
  if (!own.isDirectory()) return bytes;
  // One after the other: thousands of files at once would keep calls waiting.
  for (const name of await readdir(path).catch(() => []))
    bytes += await folderSize(join(path, name));
  return bytes;
}
