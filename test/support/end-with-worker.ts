import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";

interface Left {
  readonly child: ChildProcess;
  /** Removed along; null = kept. */
  readonly folder: string | null;
}

const left = new Set<Left>();

/**
 * Ends a process, and removes its folder, with the process of the tests: a test that fails may not
 * get to it. What a call returns takes it out again.
 */
export function endWithWorker(one: Left): () => void {
  if (left.size === 0) {
    process.once("exit", endAll);
    process.once("SIGTERM", endBySignal);
  }
  left.add(one);
  return () => {
    left.delete(one);
    if (left.size > 0) return;
    process.off("exit", endAll);
    process.off("SIGTERM", endBySignal);
  };
}

function endAll(): void {
  for (const { child, folder } of left) {
    child.kill("SIGKILL");
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How the runner of the tests ends a worker. */
function endBySignal(): void {
  endAll();
  process.kill(process.pid, "SIGTERM");
}
