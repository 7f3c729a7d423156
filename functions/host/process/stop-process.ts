import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { signalGroup } from "./process-group.ts";

/**
 * Ends a process and its whole group: stdin's end, then SIGTERM, then SIGKILL, with `graceMs`
 * after each of the first two (MCP's shutdown of stdio servers). Resolves when it has exited.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown
 */
export async function stopProcess(
  child: ChildProcess,
  exited: Promise<void>,
  graceMs: number,
): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  child.stdin?.end();
  if (!(await endsWithin(exited, graceMs))) {
    signalGroup(group, "SIGTERM");
    if (!(await endsWithin(exited, graceMs))) signalGroup(group, "SIGKILL");
  }
  await exited;
}

async function endsWithin(exited: Promise<void>, graceMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(graceMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([exited.then(() => true), late]);
  timer.abort();
  return inTime;
}
