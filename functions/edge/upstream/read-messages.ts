import { createParser } from "eventsource-parser";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type BodyLimits, readBody, tooLarge } from "./read-body.ts";

/** A stream of events may carry this many times the bytes of one message. */
const messagesPerStream = 4;

/** Where a broken event stream can be taken up again. */
export interface StreamPosition {
  lastEventId: string | null;
  /** Milliseconds to wait before taking it up, as the server wishes. */
  retryMs: number | null;
}

/** The JSON values of a response's body, one a message. */
export type MessageReader = (
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
  signal: AbortSignal,
  position: StreamPosition,
) => AsyncGenerator<unknown, void, undefined>;

/** The reader for a media type, or null when MCP does not send that type. */
export function readerFor(contentType: string | null): MessageReader | null {
  const essence = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (essence === "application/json") return readJson;
  return essence === "text/event-stream" ? readEvents : null;
}

/** A whole JSON body; an array is a batch of messages (revision 2025-03-26). */
export const readJson: MessageReader = async function* (body, limits, signal) {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const chunk of readBody(body, limits.maxMessageBytes, limits, signal)) {
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  if (signal.aborted) return;
  const value = parseJson(parts.join("") + decoder.decode(), limits);
  if (Array.isArray(value)) yield* value;
  else yield value;
};

/** Server-sent events whose data is one message each. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const readEvents: MessageReader = async function* (body, limits, signal, position) {
  const events: string[] = [];
  const parser = createEventParser(events, limits, position);
  const decoder = new TextDecoder();
  const maxBytes = limits.maxMessageBytes * messagesPerStream;
  let bytesWithoutEvent = 0;
  for await (const chunk of readBody(body, maxBytes, limits, signal)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    bytesWithoutEvent = events.length > 0 ? 0 : bytesWithoutEvent + chunk.byteLength;
    for (const data of events.splice(0)) yield parseJson(data, limits);
    parser.check();
    // Comments count for the message that they come before.
    if (bytesWithoutEvent > limits.maxMessageBytes)
      throw tooLarge(limits.maxMessageBytes, limits.target);
  }
};

function createEventParser(events: string[], limits: BodyLimits, position: StreamPosition) {
  let failure: GatewayError | null = null;
  const parser = createParser({
    maxBufferSize: limits.maxMessageBytes,
    onEvent: ({ event, id, data }) => {
      if (id !== undefined && id !== "") position.lastEventId = id;
      if (data !== "" && (event === undefined || event === "message")) events.push(data);
    },
    onRetry: (retryMs) => {
      position.retryMs = retryMs;
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded")
        failure = tooLarge(limits.maxMessageBytes, limits.target);
      // The format ignores unknown fields; a line that is no field at all is not of this format.
      else if (error.type === "unknown-field" && !/^[\w-]+:/.test(error.line ?? ""))
        failure = notReadable(limits);
    },
  });
  return {
    feed: (text: string): void => parser.feed(text),
    check: (): void => {
      if (failure !== null) throw failure;
    },
  };
}

function parseJson(text: string, limits: BodyLimits): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notReadable(limits, error);
  }
}

function notReadable(limits: BodyLimits, cause?: unknown): GatewayError {
  const text = `${limits.target} answered with something that is not JSON.`;
  return new GatewayError("RESPONSE_INVALID", text, { executed: "maybe", cause });
}
