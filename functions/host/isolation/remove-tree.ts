import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const maxTries = 5;
const retryMs = 50;

/**
 * Removes a folder that a launch could write to; false when it could not be. The system's own
 * programs do it: they hold each folder open while they go down, so that another launch, which may
 * move folders that everybody can write to, leads them nowhere else, and they get to folders that
 * lie deeper in each other than a path can be long. A process that was just killed may still hold
 * files: removal is tried again a few times. Entries of a folder with the sticky bit are their
 * owner's to remove: they become the host's own before.
 */
export async function removeTree(path: string): Promise<boolean> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    await run("/bin/rm", ["-rf", "--", path]);
    if (await isGone(path)) return true;
    await run("/bin/chown", ["-hR", "0:0", "--", path]);
    await sleep(retryMs);
  }
  return false; // The watcher tries once more at the end of the host.
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: "/", env: {}, stdio: "ignore" });
  await once(child, "close").catch(() => undefined);
}

async function isGone(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) === null;
}
