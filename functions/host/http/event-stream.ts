import type { RunEvent } from "../../../shared/run-contract/contract.ts";

/** One event more of a run's answer; events after the end are dropped. */
export type EmitEvent = (event: RunEvent) => void;

interface EventStreamOptions {
  readonly pingMs: number;
  /** The reader went away before the end. */
  readonly onCancel: () => void;
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly emit: EmitEvent;
  readonly end: () => void;
}

/** An NDJSON answer, one JSON event a line, with a `ping` whenever `pingMs` pass in silence. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const finish = () => {
    controller = undefined;
    clearTimeout(timer);
  };
  const emit = (event: RunEvent) => {
    clearTimeout(timer);
    if (controller === undefined) return;
    controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
    timer = setTimeout(emit, options.pingMs, { event: "ping" });
  };
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => void (controller = opened),
    cancel: () => {
      finish();
      options.onCancel();
    },
  });
  return { body, emit, end: () => (controller?.close(), finish()) };
}
