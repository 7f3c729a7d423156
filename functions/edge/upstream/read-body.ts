import { GatewayError } from "../../../shared/errors/gateway-error.ts";

export interface BodyLimits {
  /** Bytes of one message, inflated. */
  readonly maxMessageBytes: number;
  /** Milliseconds without a byte before the stream counts as dead. */
  readonly silenceMs: number;
  /** Who sends, for messages. */
  readonly target: string;
}

/**
 * The chunks of a body, at most `maxBytes` in all. Rejects with CONNECTION_LOST when the body
 * breaks off or falls silent, with RESPONSE_TOO_LARGE above the limit; aborting ends it quietly.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  limits: BodyLimits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  let bytes = 0;
  try {
    while (!signal.aborted) {
      const { done, value } = await readChunk(reader, limits);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes, limits.target);
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** The answer is larger than Gangway reads. */
export function tooLarge(maxBytes: number, target: string): GatewayError {
  const text = `${target} answered with more than ${maxBytes} bytes.`;
  return new GatewayError("RESPONSE_TOO_LARGE", text, {
    executed: "maybe",
    details: { limit_bytes: maxBytes },
  });
}

type Chunk =
  | { readonly done: true; readonly value?: unknown }
  | { readonly done: false; readonly value: Uint8Array };

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
): Promise<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const text = `${limits.target} sent nothing for ${limits.silenceMs} ms.`;
      reject(new GatewayError("CONNECTION_LOST", text, { executed: "maybe" }));
    }, limits.silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const text = `The connection to ${limits.target} broke off in the middle of an answer.`;
    throw new GatewayError("CONNECTION_LOST", text, { executed: "maybe", cause: error });
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
