import { createParser } from "eventsource-parser";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type BodyLimits, readBody, tooLarge } from "./read-body.ts";

export interface SseEvent {
  /** `message` where the server names no type. */
  readonly type: string;
  readonly data: string;
}

export interface SseLimits extends BodyLimits {
  /** Bytes of the whole stream, inflated. */
  readonly maxStreamBytes: number;
  readonly maxEvents: number;
}

/**
 * The server-sent events of a body that stays open. Rejects with CONNECTION_LOST when it breaks
 * off or falls silent, with RESPONSE_TOO_LARGE above a limit (one event and all that comes before
 * it, comments too, count as one message), with RESPONSE_INVALID when it is no event stream;
 * aborting ends it quietly.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readSseEvents(
  body: ReadableStream<Uint8Array>,
  limits: SseLimits,
  signal: AbortSignal,
): AsyncGenerator<SseEvent, void, undefined> {
  const reader = createSseReader(limits);
  const decoder = new TextDecoder();
  let events = 0;
  let bytesWithoutEvent = 0;
  for await (const chunk of readBody(body, limits.maxStreamBytes, limits, signal)) {
    const found = reader.read(decoder.decode(chunk, { stream: true }));
    events += found.length;
    if (events > limits.maxEvents) throw tooManyEvents(limits);
    yield* found;
    bytesWithoutEvent = found.length > 0 ? 0 : bytesWithoutEvent + chunk.byteLength;
    if (bytesWithoutEvent > limits.maxMessageBytes) {
      throw tooLarge(limits.maxMessageBytes, limits.target);
    }
  }
}

function createSseReader(limits: BodyLimits): { read: (text: string) => SseEvent[] } {
  const events: SseEvent[] = [];
  let failure: GatewayError | null = null;
  const parser = createParser({
    maxBufferSize: limits.maxMessageBytes,
    onEvent: ({ event, data }) => {
      if (data !== "") events.push({ type: event ?? "message", data });
    },
    onError: ({ type, line }) => {
      if (type === "max-buffer-size-exceeded") {
        failure = tooLarge(limits.maxMessageBytes, limits.target);
      } else if (type === "unknown-field" && !/^[\w-]+:/.test(line ?? "")) {
        // The format ignores unknown fields; a line that is no field at all is not of this format.
        failure = noEventStream(limits.target);
      }
    },
  });
  return {
    read(text) {
      parser.feed(text);
      if (failure !== null) throw failure;
      return events.splice(0);
    },
  };
}

function noEventStream(target: string): GatewayError {
  const text = `${target} sent something that is no event stream.`;
  return new GatewayError("RESPONSE_INVALID", text, { executed: "maybe" });
}

function tooManyEvents({ maxEvents, target }: SseLimits): GatewayError {
  const text = `${target} sent more than ${maxEvents} events on one stream.`;
  return new GatewayError("RESPONSE_TOO_LARGE", text, {
    executed: "maybe",
    details: { limit_events: maxEvents },
  });
}
