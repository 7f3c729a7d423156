import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { readRpcMessage } from "../../../shared/mcp/rpc-message.ts";
import { bodyOf, discard } from "./http-response.ts";
import { pause } from "./pause.ts";
import type { BodyLimits } from "./read-body.ts";
import { readerFor, readEvents, type StreamPosition } from "./read-messages.ts";

export interface StandingStreamOptions {
  readonly limits: BodyLimits;
  /** Asks for the stream, from after the event of that id where there was one. */
  readonly ask: (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;
  /** A request or notification of the server. */
  readonly onMessage: (message: object) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A server that takes its time with the stream's head does not hold up the operation longer. */
const headMs = 2_000;
/** Without a head by then it is given up: it keeps other requests from their connection. */
const lateMs = 5_000;
/** Times that a stream which ended is asked for again. */
const maxReopenings = 2;
const defaultRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * The stream on which a server of the legacy era speaks outside of any request, above all to ask
 * something. Servers may refuse it (405): they then have nothing to say there.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export class StandingStream {
  readonly #options: StandingStreamOptions;
  readonly #abort = new AbortController();
  readonly #position: StreamPosition = { lastEventId: null, retryMs: null };
  #opening: Promise<void> | null = null;

  constructor(options: StandingStreamOptions) {
    this.#options = options;
  }

  /** Opens it, once. Resolves when the server has taken or refused it, or is late; never rejects. */
  async open(): Promise<void> {
    this.#opening ??= this.#firstHead();
    return this.#opening;
  }

  close(): void {
    this.#abort.abort();
  }

  async #firstHead(): Promise<void> {
    const { promise: head, resolve: headed } = Promise.withResolvers<void>();
    void this.#listen(headed).catch(this.#options.onFailure).finally(headed);
    const late = new AbortController();
    await Promise.race([head, pause(headMs, late.signal)]);
    late.abort();
  }

  async #listen(headed: () => void): Promise<void> {
    for (let reopenings = 0; !this.#abort.signal.aborted; reopenings += 1) {
      const taken = await this.#readOne(headed);
      if (!taken || reopenings === maxReopenings) return;
      const { retryMs } = this.#position;
      await pause(Math.min(retryMs ?? defaultRetryMs, longestRetryMs), this.#abort.signal);
    }
  }

  /** Reads one stream to its end; false when the server has none. */
  async #readOne(headed: () => void): Promise<boolean> {
    const { ask, limits } = this.#options;
    const { signal } = this.#abort;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort("late"), lateMs);
    try {
      const asking = AbortSignal.any([signal, late.signal]);
      const response = await ask(this.#position.lastEventId, asking).finally(() =>
        clearTimeout(timer),
      );
      headed();
      const body = bodyOf(response);
      const isStream = readerFor(response.headers.get("content-type")) === readEvents;
      if (!response.ok || body === null || !isStream) {
        await discard(response);
        return false;
      }
      for await (const value of readEvents(body, limits, signal, this.#position)) this.#take(value);
    } catch (error) {
      if (late.signal.aborted) return false;
      if (!signal.aborted) this.#options.onFailure(error);
    }
    return true;
  }

  #take(value: unknown): void {
    const message = readRpcMessage(value);
    if (message.kind === "request" || message.kind === "notification") {
      return this.#options.onMessage(message.message);
    }
    const text = `${this.#options.limits.target} sent something on its standing stream that belongs to no request.`;
    this.#options.onFailure(new GatewayError("RESPONSE_INVALID", text));
  }
}
