import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { sep } from "node:path";

/** More than any record of npm's or uv's takes; what is larger is read by nobody. */
const maxTextBytes = 16 * 1024 * 1024;

/**
 * The text of a file that a package has brought; null when there is none to be read: it is
 * missing, lies outside of `folder`, is larger than 16 MiB, or is no file.
 */
export async function readInstalledText(folder: string, path: string): Promise<string | null> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(path)]);
    if (!file.startsWith(root + sep)) return null;
    const content = await readBeginning(file, maxTextBytes + 1);
    return content === null || content.length > maxTextBytes ? null : content.toString("utf8");
  } catch {
    return null;
  }
}

/**
 * At most so many bytes from the beginning of a file; null for what is no file. A package may have
 * made a pipe or a device of it: opening one must not wait, since the host has few threads for
 * files.
 * @param file a path with its links resolved
 */
export async function readBeginning(file: string, bytes: number): Promise<Buffer | null> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(bytes, found.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
