import { createParser } from "eventsource-parser";

export interface StreamedEvent {
  /** `:` for a comment. */
  readonly event: string;
  readonly data: Record<string, unknown>;
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
}

export interface OpenedStream {
  readonly response: Response;
  /** Events and comments as they come. */
  readonly events: AsyncGenerator<StreamedEvent, void, undefined>;
  /** Everything until the stream ends. */
  readonly rest: () => Promise<StreamedEvent[]>;
  /** Goes away, as a client whose user closes the window does. */
  readonly abort: () => void;
}

/** Posts JSON and asks for a stream. */
export async function openStream(
  { url, key }: { readonly url: string; readonly key: string },
  path: string,
  body: unknown,
): Promise<OpenedStream> {
  const controller = new AbortController();
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "text/event-stream",
    },
    body: JSON.stringify(body),
    signal: controller.signal,
  });
  const events = readEvents(response, startedAt);
  return {
    response,
    events,
    rest: () => collect(events),
    abort: () => controller.abort(),
  };
}

async function collect(events: AsyncIterable<StreamedEvent>): Promise<StreamedEvent[]> {
  const collected: StreamedEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

async function* readEvents(
  response: Response,
  startedAt: number,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const waiting: StreamedEvent[] = [];
  const push = (event: string, data: string): void => {
    const atMs = performance.now() - startedAt;
    waiting.push({ event, data: JSON.parse(data) as Record<string, unknown>, atMs });
  };
  const parser = createParser({
    onEvent: ({ event, data }) => push(event ?? "message", data),
    onComment: () => push(":", "{}"),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* waiting.splice(0);
  }
}
