import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessDirectories } from "./directories.ts";

/** A process may fork while it is looked for: it is looked for again until there is none. */
const maxRounds = 20;
const roundMs = 10;

/**
 * Kills what a launch has left outside of its process group (a daemon that called setsid), as
 * told by the launch's own folders in its environment; false when some are left. Only Linux shows
 * environments, of the host's own user; elsewhere, and of a process that has cleared its
 * environment, nothing is found.
 */
export async function killStrays(folders: Pick<ProcessDirectories, "home" | "tmp">) {
  const marks = [`HOME=${folders.home}`, `TMPDIR=${folders.tmp}`];
  for (let round = 0; round < maxRounds; round += 1) {
    const strays = await findStrays(marks);
    if (strays.length === 0) return true;
    for (const pid of strays) kill(pid);
    await sleep(roundMs);
  }
  return false;
}

async function findStrays(marks: readonly string[]): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => isMarked(await environOf(pid), marks)));
  return pids.filter((pid, index) => found[index] === true && pid !== process.pid);
}

/** Whole entries: a folder's path in any other variable, or as the beginning of one, is no mark. */
function isMarked(environ: string, marks: readonly string[]): boolean {
  return environ.split("\0").some((entry) => marks.includes(entry));
}

/** Empty for a process that has ended or belongs to another user. */
async function environOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
