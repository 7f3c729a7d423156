import type { RunEvent, RunRequest } from "../../../shared/run-contract/contract.ts";
import { until } from "../host-processes.ts";
import { descendants, type ProcessEntry, survivors } from "../process-tree.ts";
import { residentMiB } from "../resident-memory.ts";
import { eventsNamed, resultOf, runRequest } from "../run-request.ts";
import { type StartedHost, startHost } from "../start-host.ts";
import type { RealServer } from "./server-list.ts";

/** What the host had to do to end a server that nobody uses. */
export type Ending = "end of stdin" | "SIGTERM" | "SIGKILL";

export interface HostMeasure {
  /** Empty disk to the first list, ms: installation, start, handshake, list. */
  readonly firstMs: number;
  readonly installMs: number;
  /** Medians of the starts after it, ms: start, handshake, list. */
  readonly secondMs: number;
  readonly memoryMiB: number;
  readonly processes: number;
  readonly protocolVersion: string;
  readonly tools: number;
  /** null = it answered with an error. */
  readonly prompts: number | null;
  readonly resources: number | null;
  /** Lines of stdout that were no MCP messages. */
  readonly noiseLines: number;
  readonly ending: Ending;
  /** Processes that outlived their server; always none. */
  readonly left: number;
}

export type HostOutcome =
  | { readonly ok: true; readonly measure: HostMeasure }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly tail: string };

/** A host keeps a server that long after its last use. */
const idleMs = 1500;
const graceMs = 1500;
const secondStarts = 3;
const noise = /stdout holds a line that is no MCP message/;

/** Installs, starts, lists and stops one server on a host of its own with an empty disk. */
export async function throughHost(server: RealServer): Promise<HostOutcome> {
  const host = await startHost({ environment: { GANGWAY_HOST_STOP_GRACE_MS: String(graceMs) } });
  try {
    return await measure(host, server);
  } finally {
    await host.dispose();
  }
}

async function measure(host: StartedHost, server: RealServer): Promise<HostOutcome> {
  const startedAt = performance.now();
  const events = await host.run(listRequest(server, "tools/list"));
  const firstMs = performance.now() - startedAt;
  const [error] = eventsNamed(events, "error");
  if (error !== undefined) return failure(error.error);
  const first = resultOf(events);
  const prompts = count(await host.run(listRequest(server, "prompts/list")), "prompts");
  const resources = count(await host.run(listRequest(server, "resources/list")), "resources");
  const tree = serverProcesses(host);
  const memoryMiB = residentMiB(tree);
  const ending = await idleOut(tree);
  const secondMs: number[] = [];
  const later: ProcessEntry[] = [];
  for (let start = 0; start < secondStarts; start += 1) {
    const againAt = performance.now();
    resultOf(await host.run(listRequest(server, "tools/list")));
    secondMs.push(performance.now() - againAt);
    const again = serverProcesses(host);
    later.push(...again);
    await idleOut(again);
  }
  return {
    ok: true,
    measure: {
      firstMs,
      installMs: first.timings_ms["install"] ?? 0,
      secondMs: median(secondMs),
      memoryMiB,
      processes: tree.length,
      protocolVersion: first.session.protocol_version,
      tools: count(events, "tools") ?? 0,
      prompts,
      resources,
      noiseLines: host.log.filter(({ msg }) => noise.test(String(msg))).length,
      ending,
      left: survivors([...tree, ...later]).length,
    },
  };
}

/** A list of a server; the key is the package's, so that its process is warm for the next list. */
export function listRequest(
  server: RealServer,
  method: "tools/list" | "prompts/list" | "resources/list",
): RunRequest {
  return runRequest(server.bin ?? null, {
    server: server.package,
    pool_key: `acme/${server.package}`,
    operation: { method },
    launch: {
      package: server.package,
      version: server.version,
      args: [...(server.args ?? [])],
      secret_env: { ...server.env },
    },
    limits: { install_ms: 240_000, handshake_ms: 60_000, call_ms: 30_000, idle_ms: idleMs },
  });
}

/** Processes of the servers that run on a host, without the host's own. */
export function serverProcesses(host: StartedHost): ProcessEntry[] {
  return descendants(host.pid).filter(
    ({ pid, command }) => pid !== host.pid && !/gangway-(?:container-)?watcher/.test(command),
  );
}

/** Waits for the host to end a server that nobody uses; answers what it took. */
async function idleOut(tree: readonly ProcessEntry[]): Promise<Ending> {
  const startedAt = performance.now();
  await until("the server has ended", () => survivors(tree).length === 0, 30_000);
  const stepsWaited = (performance.now() - startedAt - idleMs) / graceMs;
  if (stepsWaited < 1) return "end of stdin";
  return stepsWaited < 2 ? "SIGTERM" : "SIGKILL";
}

function count(events: readonly RunEvent[], member: string): number | null {
  const [answer] = eventsNamed(events, "result");
  const list: unknown = answer?.result[member];
  return Array.isArray(list) ? list.length : null;
}

function failure(error: {
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
}): HostOutcome {
  const tail = error.details?.["stderr_tail"];
  return {
    ok: false,
    code: error.code,
    message: error.message,
    tail: typeof tail === "string" ? tail : "",
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
