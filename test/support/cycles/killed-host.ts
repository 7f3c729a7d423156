import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { until } from "../host-processes.ts";
import { descendants, type ProcessEntry, processEntry, survivors } from "../process-tree.ts";
import { callRequest, textOf } from "../run-request.ts";
import { eventsOf, type StartedHost } from "../start-host.ts";

export interface KilledHost {
  readonly processes: readonly ProcessEntry[];
  /** Until the last of them was gone, ms; null = some are there after five seconds. */
  readonly goneMs: number | null;
  readonly left: readonly ProcessEntry[];
}

/** One server of each kind after the other: in a call, deaf to SIGTERM, with daemons of both kinds. */
export function serverCalls(count: number): RunRequest[] {
  const kinds = [
    (key: string) => callRequest("hang", "hang", {}, { pool_key: key }),
    (key: string) => callRequest("ignore-sigterm", "hang", {}, { pool_key: key }),
    (key: string) => callRequest("daemon", "marked", {}, { pool_key: key }),
    (key: string) => callRequest("daemon", "cleared", {}, { pool_key: key }),
    (key: string) => callRequest("grandchild", "spawn", {}, { pool_key: key }),
  ];
  return Array.from({ length: count }, (_, index) =>
    kinds[index % kinds.length]?.(`dies ${index}`),
  ).filter((one) => one !== undefined);
}

/**
 * Starts the servers, kills the host with -9 and watches what becomes of all that it had started;
 * `beforehand` sees them run.
 */
export async function killHost(
  host: StartedHost,
  requests: readonly RunRequest[],
  beforehand: () => Promise<void> = async () => undefined,
): Promise<KilledHost> {
  const daemons = await Promise.all(requests.map((request) => startServer(host, request)));
  const processes = [...descendants(host.pid), ...daemons.flat()];
  await beforehand();
  await host.end("SIGKILL");
  const killedAt = performance.now();
  const noneIsLeft = () => survivors(processes).length === 0 && instancesOf(host).length === 0;
  const isGone = await until("nothing is left", noneIsLeft, 5_000).then(
    () => true,
    () => false,
  );
  return {
    processes,
    goneMs: isGone ? performance.now() - killedAt : null,
    left: survivors(processes),
  };
}

/** Resolves when the server has its call, or has answered it; tells what it left on purpose. */
async function startServer(host: StartedHost, request: RunRequest): Promise<ProcessEntry[]> {
  const response = await host.send(request);
  const isHeld = toolOf(request) === "hang";
  const events = [];
  for await (const event of eventsOf(response)) {
    events.push(event);
    if (isHeld && event.event === "sent") return [];
  }
  const told = JSON.parse(textOf(events)) as Record<string, number>;
  return Object.values(told).flatMap((pid) => processEntry(pid) ?? []);
}

function toolOf({ operation }: RunRequest): string | null {
  return operation.method === "tools/call" ? operation.params.name : null;
}

function instancesOf(host: StartedHost): string[] {
  return readdirSync(join(host.dataDir, "instances"));
}
