import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { DockerEngine } from "../docker-engine.ts";
import { descendants } from "../process-tree.ts";
import type { StartedHost } from "../start-host.ts";

/** What a host has about it; the same before and after whatever it did. */
export interface Traces {
  /** Command lines of what it has started, its watchers included. */
  readonly processes: readonly string[];
  /** Open descriptors, those of its callers' connections left out. */
  readonly descriptors: number;
  /** Every path in its data folder. */
  readonly paths: readonly string[];
  readonly containers: readonly string[];
}

export async function tracesOf(host: StartedHost, engine: DockerEngine | null): Promise<Traces> {
  return {
    processes: descendants(host.pid)
      .map(({ command }) => command)
      .sort(),
    descriptors: descriptorsOf(host.pid),
    paths: pathsIn(host.dataDir),
    containers: engine === null ? [] : await engine.containers(),
  };
}

/** What there is beyond the baseline, a line each. */
export function beyond(baseline: Traces, now: Traces): string[] {
  const more = (kind: "processes" | "paths" | "containers") =>
    now[kind].filter((one) => !baseline[kind].includes(one)).map((one) => `${kind}: ${one}`);
  const descriptors = now.descriptors - baseline.descriptors;
  return [
    ...more("processes"),
    ...(now.processes.length > baseline.processes.length ? ["processes: more of the same"] : []),
    ...(descriptors > 0 ? [`descriptors: ${descriptors}`] : []),
    ...more("paths"),
    ...more("containers"),
  ];
}

export function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch {
    return pathsIn(folder); // Something was removed while it was read.
  }
}

function descriptorsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const callers = connections(pid);
  return readdirSync(folder).filter((fd) => !callers.has(targetOf(join(folder, fd)))).length;
}

/** Descriptors of TCP connections, as their links name them; a host listens on one and calls nobody. */
function connections(pid: number): Set<string> {
  const established = "01";
  const lines = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n").slice(1);
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    fields.filter(([, , , state]) => state === established).map((one) => `socket:[${one[9]}]`),
  );
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ""; // It was closed meanwhile.
  }
}
