/** Bytes that may wait for a slow reader before events that can be spared are left out. */
const maxWaitingBytes = 1024 * 1024;

export interface EventStreamOptions {
  /** Milliseconds between the comments that keep the stream alive. */
  readonly keepAliveMs: number;
  /** The reader went away before the end. */
  readonly onGone: () => void;
}

/** Server-sent events on their way to one reader. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Sends an event, whatever is still waiting. */
  readonly send: (event: string, data: unknown) => void;
  /** Sends an event if there is room for it; false where there is none. */
  readonly offer: (event: string, data: unknown) => boolean;
  readonly end: () => void;
}

/**
 * A stream that begins with a comment, repeats one at every interval, and ends with `end`. No event is
 * made up to keep it alive: clients that know nothing of it would have to handle it.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openEventStream({ keepAliveMs, onGone }: EventStreamOptions): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  const write = (text: string): void => controller?.enqueue(encoder.encode(text));
  const stop = (): void => {
    controller = null;
    if (timer !== undefined) clearInterval(timer);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
        write(":\n\n");
        timer = setInterval(() => write(":\n\n"), keepAliveMs);
      },
      cancel() {
        stop();
        onGone();
      },
    },
    { highWaterMark: maxWaitingBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  const send: EventStream["send"] = (event, data) =>
    // JSON has no line breaks of its own, so that one `data` line holds it.
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  return {
    body,
    send,
    offer(event, data) {
      if ((controller?.desiredSize ?? 0) <= 0) return false;
      send(event, data);
      return true;
    },
    end() {
      controller?.close();
      stop();
    },
  };
}
