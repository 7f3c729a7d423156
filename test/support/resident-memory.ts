import { readFileSync } from "node:fs";
import type { ProcessEntry } from "./process-tree.ts";

/** Resident memory of the processes together, MiB; pages that they share count for each. */
export function residentMiB(processes: readonly ProcessEntry[]): number {
  return processes.reduce((sum, { pid }) => sum + residentKiB(pid), 0) / 1024;
}

function residentKiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // It has ended meanwhile.
  }
}
