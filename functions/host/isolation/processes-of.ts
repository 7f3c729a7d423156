import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/** Pids of the processes that run under the user id in any of its forms; those that have ended count no more. */
export async function processesOf(uid: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => runsAs(pid, String(uid))));
  return pids.filter((_, index) => found[index]);
}

async function runsAs(pid: number, uid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  if (/^State:\s+[ZX]/m.test(status)) return false;
  return idsOf(status).includes(uid);
}

/** User ids that any process runs under. */
export function usedUids(): Set<number> {
  const statuses = readdirSync("/proc")
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .map((pid) => readStatus(pid));
  return new Set(statuses.flatMap((status) => idsOf(status)).map(Number));
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return ""; // It has ended meanwhile.
  }
}

function idsOf(status: string): string[] {
  return /^Uid:[ \t]*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
}
