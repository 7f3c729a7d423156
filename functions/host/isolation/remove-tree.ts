import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { shutAll, shutFolder } from "./shut-folder.ts";

/** Is told of a user id that has made something in a folder since it is being removed. */
export type OnWriter = (uid: number) => Promise<void>;

const none: OnWriter = async () => undefined;
const maxTries = 5;
const retryMs = 50;
/** Who fills a folder faster than it is emptied would never let the first try end. */
const roundMs = 2000;

/**
 * Removes a folder that a launch could write to; false when it could not be. The system's own
 * programs do it: they hold each folder open while they go down, so that another launch, which may
 * move folders that everybody can write to, leads them nowhere else, and they get to folders that
 * lie deeper in each other than a path can be long. A process that was just killed may still hold
 * files: removal is tried again a few times. Entries of a folder with the sticky bit are their
 * owner's to remove, and other launches may write to one that is open to all: its folders become
 * the host's own. `onWriter` is told who writes there all the time.
 */
export async function removeTree(path: string, onWriter: OnWriter = none): Promise<boolean> {
  const since = Date.now();
  await shutFolder(path);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    await run("/bin/rm", ["-rf", "--", path], tries * roundMs);
    if (await isGone(path)) return true;
    await tellWriters(path, since, onWriter);
    await run("/bin/chown", ["-hR", "0:0", "--", path], tries * roundMs);
    await sleep(retryMs);
  }
  return false; // The watcher tries once more at the end of the host.
}

async function run(program: string, args: readonly string[], timeout: number): Promise<void> {
  const child = spawn(program, args, { cwd: "/", env: {}, stdio: "ignore", timeout });
  await once(child, "close").catch(() => undefined);
}

/** Each is told once; what it has made stays there until it is removed. */
async function tellWriters(path: string, since: number, onWriter: OnWriter): Promise<void> {
  const told = new Set<number>();
  const writer = () =>
    shutAll(path, ({ uid, birthtimeMs }) => birthtimeMs >= since && !told.has(uid));
  for (let next = await writer(); next !== null; next = await writer()) {
    told.add(next.uid);
    await onWriter(next.uid);
  }
}

async function isGone(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) === null;
}
