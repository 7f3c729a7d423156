import type { ServerResponse } from "node:http";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";

/**
 * One event more of a run's answer; events after the end are dropped. False for one that was left
 * out, since the reader is slower than the server and the run is told without it as well.
 */
export type EmitEvent = (event: RunEvent) => boolean;

/** What a server tells besides its answer, as much and as large as it likes. */
const spare = new Set<RunEvent["event"]>(["progress", "log", "notification"]);
/** Bytes that may wait for a slow reader before events that can be spared are left out. */
const maxWaitingBytes = 1024 * 1024;

interface EventStreamOptions {
  readonly pingMs: number;
  /** The reader went away before the end. */
  readonly onGone: () => void;
}

export interface EventStream {
  readonly emit: EmitEvent;
  readonly end: () => void;
}

const ping = { event: "ping" } as const;

/**
 * Answers with NDJSON, one JSON event a line, with a `ping` whenever `pingMs` pass in silence.
 * What waits for a reader who does not read is bounded.
 * Node sends what is written in one turn of the event loop in one piece.
 */
export function openEventStream(
  response: ServerResponse,
  { pingMs, onGone }: EventStreamOptions,
): EventStream {
  const emit = (event: RunEvent) => {
    if (response.writableEnded || response.destroyed) return true;
    if (spare.has(event.event) && response.writableLength > maxWaitingBytes) return false;
    silence.refresh();
    response.write(`${JSON.stringify(event)}\n`);
    return true;
  };
  const silence = setInterval(emit, pingMs, ping);
  response.once("close", () => {
    clearInterval(silence);
    if (!response.writableFinished) onGone();
  });
  response.writeHead(200, {
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
  });
  return { emit, end: () => (clearInterval(silence), response.end()) };
}
