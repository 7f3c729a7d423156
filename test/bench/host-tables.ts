import type { HostMemory } from "./host-memory.ts";
import type { WayMeasure } from "./host-rounds.ts";
import type { StartMeasure } from "./host-starts.ts";
import type { TypicalMeasure } from "./host-typical.ts";
import { sessionCallers, type WarmMeasures } from "./host-warm.ts";

type Row = readonly (string | number)[];

/** The tables of warm calls. */
export function warmTables(measures: WarmMeasures, callers: number): string {
  return [
    "## One caller, a warm server, a kept session",
    wayTable(measures.oneCaller),
    `## ${callers} callers, a warm server, a kept session`,
    wayTable(measures.manyCallers),
    `## ${sessionCallers} callers that keep no session`,
    wayTable(measures.freshSessions),
  ].join("\n\n");
}

function wayTable(ways: readonly WayMeasure[]): string {
  const head = ["way", "calls a second", "p50, ms", "p95, ms", "processor time a call, ms"];
  return table(
    head,
    ways.map(({ name, callsPerSecond, p50Ms, p95Ms, cpuMs }) => [
      name,
      callsPerSecond.toFixed(0),
      p50Ms.toFixed(2),
      p95Ms.toFixed(2),
      cpuMs === 0 ? "not measured" : cpuMs.toFixed(2),
    ]),
  );
}

/** SC-002: every call within ten seconds. */
export function typicalTable(measures: readonly TypicalMeasure[]): string {
  const rows = measures.map(({ call, p50, p95, longest }) => [call, ms(p50), ms(p95), ms(longest)]);
  const head = ["call", "p50, ms", "p95, ms", "longest, ms"];
  return `## Ten typical calls through edge and host\n\n${table(head, rows)}`;
}

/** Second starts and memory against npx; cold starts apart. */
export function startTables(measures: readonly StartMeasure[]): string {
  const second = measures.map(({ server, npx, host }) => [
    server,
    ...compared(npx.second.ms, host.second.ms),
    ...compared(npx.second.memoryMiB, host.second.memoryMiB),
  ]);
  const cold = measures.map(({ server, npx, host }) => [
    server,
    ...compared(npx.cold.ms, host.cold.ms),
  ]);
  const both = (what: string) => [`${what} by npx`, `${what} by the host`, "ratio"];
  return [
    "## Second start: the package is on the disk, no process runs",
    table(["server", ...both("ms"), ...both("MiB")], second),
    "## First start: nothing is on the disk",
    table(["server", ...both("ms")], cold),
  ].join("\n\n");
}

/** The host's own memory. */
export function memoryTable({ servers, first, all, afterCalls, calls }: HostMemory): string {
  const rows = [
    ["one warm server", first.toFixed(0)],
    [`${servers} warm servers`, all.toFixed(0)],
    [`${servers} warm servers, after ${calls} calls`, afterCalls.toFixed(0)],
  ];
  return `## The host's own resident memory\n\n${table(["with", "MiB"], rows)}`;
}

function compared(npx: number, host: number): Row {
  return [npx.toFixed(0), host.toFixed(0), `${(host / npx).toFixed(2)}×`];
}

function ms(value: number): string {
  return value.toFixed(1);
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
