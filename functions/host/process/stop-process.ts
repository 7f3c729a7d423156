import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { signalGroup } from "./process-group.ts";

/**
 * Ends a process and its whole group: stdin's end, then SIGTERM, then SIGKILL, with `graceMs`
 * after each of the first two (MCP's shutdown of stdio servers). Resolves when it has exited, with
 * whether it had to be killed.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown
 */
export async function stopProcess(
  child: ChildProcess,
  exited: Promise<void>,
  graceMs: number,
): Promise<{ readonly killed: boolean }> {
  const group = child.pid;
  let killed = false;
  if (group === undefined) return { killed };
  child.stdin?.end();
  if (!(await endsWithin(exited, graceMs))) {
    signalGroup(group, "SIGTERM");
    killed = !(await endsWithin(exited, graceMs));
    if (killed) signalGroup(group, "SIGKILL");
  }
  await exited;
  return { killed };
}

async function endsWithin(exited: Promise<void>, graceMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(graceMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([exited.then(() => true), late]);
  timer.abort();
  return inTime;
}
