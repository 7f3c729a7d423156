import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "./child.ts";
import { StartError } from "./start-error.ts";

const pollMs = 100;

/**
 * Waits until `url` answers 200.
 * @throws StartError with the end of the child's log when the child ends first, or `withinMs` pass.
 */
export async function waitUntilReady(child: Child, url: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  const end = child.ended.then((how) => ({ how }));
  let last = "it did not answer";
  while (performance.now() < deadline) {
    const answer = await Promise.race([end, ask(url)]);
    if (typeof answer === "object") throw new StartError(withLog(child, answer.how));
    if (answer === "ready") return;
    last = answer;
    await Promise.race([end, pause(pollMs)]);
  }
  throw new StartError(
    withLog(child, `The ${child.name} was not ready within ${withinMs / 1000} s: ${last}.`),
  );
}

/** A failure together with what the child printed last. */
export function withLog(child: Child, message: string): string {
  return `${message} Its last lines:\n${child.logTail()}`;
}

async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (response.ok) return "ready";
    return `it answered ${response.status} ${(await response.text()).slice(0, 500)}`;
  } catch {
    return "it did not answer"; // Not listening yet.
  }
}
