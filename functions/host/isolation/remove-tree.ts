import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";

/**
 * Removes a folder that a launch could write to; false when it could not be. A process that was
 * just killed may still hold files: removal is tried again a few times. Entries of a folder with
 * the sticky bit are their owner's to remove: they become the host's own before. Folders may lie
 * deeper in each other than a path can be long: the system's own programs go down step by step.
 */
export async function removeTree(path: string): Promise<boolean> {
  if (await removed(path)) return true;
  await run("/bin/chown", ["-hR", "0:0", "--", path]);
  await run("/bin/rm", ["-rf", "--", path]);
  return removed(path);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: "/", env: {}, stdio: "ignore" });
  await once(child, "close").catch(() => undefined);
}

async function removed(path: string): Promise<boolean> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    return false; // The caller tries otherwise, and the watcher once more at the end of the host.
  }
}
