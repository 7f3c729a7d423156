import type { ServerResponse } from "node:http";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";

/** One event more of a run's answer; events after the end are dropped. */
export type EmitEvent = (event: RunEvent) => void;

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
 * Node sends what is written in one turn of the event loop in one piece.
 */
export function openEventStream(
  response: ServerResponse,
  { pingMs, onGone }: EventStreamOptions,
): EventStream {
  const emit = (event: RunEvent) => {
    if (response.writableEnded || response.destroyed) return;
    silence.refresh();
    response.write(`${JSON.stringify(event)}\n`);
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
