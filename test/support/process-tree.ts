import { readdirSync, readFileSync } from "node:fs";

/** One process of this machine; `startedAt` tells it from a later one with the same pid. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly command: string;
}

/** Every process that `pid` has started, directly or through others, itself included. */
export function descendants(pid: number): ProcessEntry[] {
  const all = runningProcesses();
  const found = all.filter((one) => one.pid === pid);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found;
}

/** Those of the processes that still run. */
export function survivors(processes: readonly ProcessEntry[]): ProcessEntry[] {
  const alive = new Set(runningProcesses().map(identity));
  return processes.filter((one) => alive.has(identity(one)));
}

/** The process as it runs now; null when it has ended. */
export function processEntry(pid: number): ProcessEntry | null {
  return readEntry(pid)[0] ?? null;
}

function identity({ pid, startedAt }: ProcessEntry): string {
  return `${pid} ${startedAt}`;
}

function runningProcesses(): ProcessEntry[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readEntry(Number(name)));
}

function readEntry(pid: number): ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces; the fields after it are fixed.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent = "", startedAt = ""] = [fields[0], fields[1], fields[19]];
    if (state === "Z") return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return [{ pid, parent: Number(parent), startedAt, command }];
  } catch {
    return []; // It has ended meanwhile.
  }
}
