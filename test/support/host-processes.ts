import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Pids of all processes that a host with this data folder has started, the watcher included. */
export function processesOf(dataDir: string, hostPid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== hostPid)
    .map(Number)
    .filter(
      (pid) =>
        ["environ", "cmdline"].some((file) => readProc(pid, file).includes(dataDir)) &&
        !isZombie(pid),
    );
}

/** Whether the process runs; one that has ended and was not yet reaped does not. */
export function isRunning(pid: number): boolean {
  return readProc(pid, "stat") !== "" && !isZombie(pid);
}

/** Resolves as soon as `holds` does; fails with `what` after `withinMs`. The system tells of no process end but by asking. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new TypeError(`after ${withinMs} ms still not: ${what}`);
    await sleep(20);
  }
}

function isZombie(pid: number): boolean {
  return /\) Z /.test(readProc(pid, "stat"));
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // It has ended meanwhile.
  }
}
