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
  const silence = new Silence(limits.silenceMs, cancel);
  signal.addEventListener("abort", cancel, { once: true });
  let bytes = 0;
  let ended = false;
  try {
    while (!signal.aborted) {
      const { done, value } = await readChunk(reader, limits, silence);
      if (silence.over) throw silent(limits);
      ended = done;
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes, limits.target);
      yield value;
      silence.broken();
    }
  } finally {
    silence.end();
    signal.removeEventListener("abort", cancel);
    if (!ended) cancel();
  }
}

/** Watches over one body by one timer: it is set anew when it has run out, not with every chunk. */
class Silence {
  readonly #ms: number;
  readonly #tell: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #since = Date.now();
  over = false;

  constructor(ms: number, tell: () => void) {
    this.#ms = ms;
    this.#tell = tell;
    this.#timer = setTimeout(this.#check, ms);
  }

  /** There was a chunk, and the next one is waited for from now on. */
  broken(): void {
    this.#since = Date.now();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = (): void => {
    const leftMs = this.#since + this.#ms - Date.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(this.#check, leftMs);
      return;
    }
    this.over = true;
    this.#tell();
  };
}

function silent({ target, silenceMs }: BodyLimits): GatewayError {
  const text = `${target} sent nothing for ${silenceMs} ms.`;
  return new GatewayError("CONNECTION_LOST", text, { executed: "maybe" });
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
  silence: Silence,
): Promise<Chunk> {
  try {
    return await reader.read();
  } catch (error) {
    if (silence.over) throw silent(limits);
    const text = `The connection to ${limits.target} broke off in the middle of an answer.`;
    throw new GatewayError("CONNECTION_LOST", text, { executed: "maybe", cause: error });
  }
}
