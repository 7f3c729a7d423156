import { readFileSync } from "node:fs";
import { fixtureImage } from "./docker-images.ts";
import { processesOf } from "./host-processes.ts";
import { callRequest, type RunChanges } from "./run-request.ts";
import type { StartedHost } from "./start-host.ts";

/** A call of one tool of a fixture program that runs in a container. */
export function dockerCall(
  program: string,
  tool: string,
  args: Record<string, unknown> = {},
  { launch, ...changes }: RunChanges = {},
) {
  return callRequest(null, tool, args, {
    pool_key: `docker/${program}`,
    ...changes,
    launch: { runner: "docker", ...fixtureImage, args: [program], ...launch },
  });
}

/** Pids of the docker commands that carry a host's servers. */
export function dockerCommands(host: StartedHost): number[] {
  return processesOf(host.dataDir, host.pid).filter((pid) => commandOf(pid).includes("run --rm"));
}

/** The command line of a process, as a process list shows it. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended meanwhile.
  }
}

/** The process that has started it, or that it was handed to; 0 when it has ended. */
export function parentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
  } catch {
    return 0;
  }
}
