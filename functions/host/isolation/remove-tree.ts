import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";

/**
 * Removes a folder that a launch could write to; false when it could not be. A process that was
 * just killed may still hold files: removal is tried again a few times. Entries of a folder with
 * the sticky bit are their owner's to remove: they become the host's own before.
 */
export async function removeTree(path: string): Promise<boolean> {
  if (await removed(path)) return true;
  const owner = spawn("/bin/chown", ["-hR", "0:0", "--", path], { stdio: "ignore", env: {} });
  await once(owner, "close").catch(() => undefined);
  return removed(path);
}

async function removed(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    return false; // The watcher tries once more at the end of the host.
  }
}
