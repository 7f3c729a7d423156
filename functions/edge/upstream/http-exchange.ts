import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { readRpcMessage } from "../../../shared/mcp/rpc-message.ts";
import { bodyOf, discard } from "./http-response.ts";
import { networkFailure } from "./network-failure.ts";
import { pause } from "./pause.ts";
import type { BodyLimits } from "./read-body.ts";
import { readerFor, readEvents, readJson, type StreamPosition } from "./read-messages.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

/** Times that a broken stream is taken up where the server offers it. */
const maxResumptions = 2;
const defaultRetryMs = 1_000;
const longestRetryMs = 30_000;

export interface ExchangeOptions {
  readonly limits: BodyLimits;
  /** Cancels this request alone. */
  readonly requestSignal: AbortSignal | undefined;
  /** Asks for the rest of a stream, from after the event of that id. */
  readonly takeUp: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** A message of the exchange; the answer carries the request's own id. */
  readonly onMessage: (message: JSONRPCMessage) => void;
}

/**
 * One request and the responses that belong to it. What comes on them is this request's and no
 * other's, whatever id it claims; an exchange that ends, breaks off or carries something else
 * fails its request at once.
 */
export class HttpExchange {
  readonly id: RequestId;
  readonly #method: string;
  readonly #options: ExchangeOptions;
  readonly #abort = new AbortController();
  readonly #position: StreamPosition = { lastEventId: null, retryMs: null };
  readonly signal: AbortSignal;
  #answered = false;

  constructor(request: JSONRPCRequest, options: ExchangeOptions) {
    this.id = request.id;
    this.#method = request.method;
    this.#options = options;
    const { requestSignal } = options;
    this.signal =
      requestSignal === undefined
        ? this.#abort.signal
        : AbortSignal.any([this.#abort.signal, requestSignal]);
  }

  /** Stops reading; nobody waits for the answer any more. */
  abandon(): void {
    this.#abort.abort();
  }

  /**
   * The messages of a response.
   * @throws GatewayError RESPONSE_INVALID when the response cannot hold any
   */
  async open(response: Response): Promise<AsyncIterable<unknown>> {
    const { status } = response;
    const body = bodyOf(response);
    const type = response.headers.get("content-type");
    const read = readerFor(type);
    if (body !== null && read !== null && status !== 202) {
      return read(body, this.#options.limits, this.signal, this.#position);
    }
    await discard(response);
    if (status === 202 || status === 204 || body === null) {
      throw this.#invalid(`${this.#method} with HTTP ${status} and no answer`);
    }
    throw this.#invalid(
      `${this.#method} with content of type ${wholeOrLength(type ?? "none", 80)}`,
    );
  }

  /** Reads to the end of the exchange. Answers why its request got no answer, null when it did. */
  async read(messages: AsyncIterable<unknown>): Promise<GatewayError | null> {
    let failure = await this.#deliverAll(messages);
    for (let resumptions = 0; this.#mayResume(failure, resumptions); resumptions += 1) {
      failure = await this.#resume();
    }
    if (this.#settled) return null;
    const text = `${this.#options.limits.target} ended the stream without answering ${this.#method}.`;
    return failure ?? new GatewayError("CONNECTION_LOST", text, { executed: "maybe" });
  }

  /** Takes the JSON-RPC error of an HTTP error answer; false when its body holds none for this request. */
  readError(body: unknown): boolean {
    const message = readRpcMessage(body);
    if (message.kind !== "error" || message.id !== String(this.id)) return false;
    this.#deliver(body);
    return true;
  }

  /** The JSON body of an HTTP error answer, null when there is none. */
  async errorBody(response: Response): Promise<unknown> {
    const body = bodyOf(response);
    if (body === null) return null;
    try {
      for await (const value of readJson(body, this.#options.limits, this.signal, this.#position)) {
        return value;
      }
    } catch {
      // An error page that is no JSON says no more than its status.
    }
    return null;
  }

  get #settled(): boolean {
    return this.#answered || this.signal.aborted;
  }

  async #deliverAll(messages: AsyncIterable<unknown>): Promise<GatewayError | null> {
    try {
      for await (const message of messages) this.#deliver(message);
      return null;
    } catch (error) {
      return this.#settled ? null : networkFailure(error, this.#options.limits.target);
    }
  }

  #deliver(value: unknown): void {
    const message = readRpcMessage(value);
    if (message.kind === "malformed") {
      throw this.#invalid(`with a message that is unusable: ${message.reason}`);
    }
    if (message.kind === "request" || message.kind === "notification") {
      return this.#pass(message.message);
    }
    if (this.#answered) return;
    if (message.id !== null && message.id !== String(this.id)) {
      throw this.#invalid("under the id of another request");
    }
    this.#answered = true;
    const rest = message.kind === "result" ? { result: message.result } : { error: message.error };
    this.#pass({ jsonrpc: "2.0", id: this.id, ...rest });
  }

  #pass(message: object): void {
    // The session reads messages as they came: their shape is its matter.
    this.#options.onMessage(message as JSONRPCMessage);
  }

  #mayResume(failure: GatewayError | null, resumptions: number): boolean {
    if (this.#settled || this.#position.lastEventId === null) return false;
    return resumptions < maxResumptions && (failure === null || failure.code === "CONNECTION_LOST");
  }

  async #resume(): Promise<GatewayError | null> {
    const { retryMs, lastEventId } = this.#position;
    await pause(Math.min(retryMs ?? defaultRetryMs, longestRetryMs), this.signal);
    try {
      const response = await this.#options.takeUp(lastEventId ?? "", this.signal);
      if (!response.ok || readerFor(response.headers.get("content-type")) !== readEvents) {
        await discard(response);
        throw this.#invalid(`HTTP ${response.status} when asked for the rest of a stream`);
      }
      return await this.#deliverAll(await this.open(response));
    } catch (error) {
      return networkFailure(error, this.#options.limits.target);
    }
  }

  #invalid(what: string): GatewayError {
    const text = `${this.#options.limits.target} answered ${what}.`;
    return new GatewayError("RESPONSE_INVALID", text, { executed: "maybe" });
  }
}
