import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { EndReason } from "./end-reason.ts";
import type { ServerChild } from "./spawn-server.ts";

/** After the exit, how long output that is still in the pipes is waited for. */
const drainMs = 200;

/**
 * Resolves at the first sign that nothing will come from a process any more, after what was still
 * in its pipes. A descendant may hold the pipes open for longer: it is not waited for.
 */
export async function watchEnd(child: ServerChild): Promise<EndReason> {
  const ended = new Promise<EndReason>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ kind: "exited", exitCode, signal }));
    child.once("error", (error) => resolve({ kind: "spawn-failed", errno: errnoOf(error) }));
  });
  const closed = Promise.all([closeOf(child.stdout), closeOf(child.stderr)]);
  const end = await Promise.race([ended, lostStdout(child)]);
  if (end.kind === "exited") await Promise.race([closed, sleep(drainMs)]);
  return end;
}

/** A process that exits closes its stdout just before: only one that lives on has lost it. */
async function lostStdout(child: ServerChild): Promise<EndReason> {
  await closeOf(child.stdout);
  await sleep(drainMs);
  return { kind: "closed-stdout" };
}

function closeOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once("close", () => resolve());
  });
}

function errnoOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
