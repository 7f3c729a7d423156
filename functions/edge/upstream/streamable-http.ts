import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  SdkErrorCode,
  SdkHttpError,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { httpFailure } from "../../../shared/mcp/http-failure.ts";
import { readRpcMessage, rpcId } from "../../../shared/mcp/rpc-message.ts";
import type { GatewayTransport } from "../../../shared/mcp/session-types.ts";
import { connectionHeaders, type ConnectionState, messageHeaders } from "./http-headers.ts";
import { readLocation, readRetryAfter } from "./http-response.ts";
import { networkFailure } from "./network-failure.ts";
import type { BodyLimits } from "./read-body.ts";
import { readerFor, readEvents, readJson, type StreamPosition } from "./read-messages.ts";
import type { UpstreamFetch } from "./upstream-fetch.ts";

export interface StreamableHttpOptions {
  /** The MCP endpoint, references resolved. */
  readonly url: string;
  /** Configured headers, references resolved. */
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded way out; called with `redirect: "manual"`. */
  readonly fetch: UpstreamFetch;
  /** End the legacy session with DELETE on close. */
  readonly terminateOnClose: boolean;
  /** Milliseconds without a byte on a response before it counts as dead. */
  readonly silenceMs: number;
  /** Bytes of one answer, inflated. Default 10 MiB. */
  readonly maxMessageBytes?: number;
}

const defaultMaxMessageBytes = 10 * 1024 * 1024;
/** Times that a broken stream is taken up where the server offers it. */
const maxResumptions = 2;
const defaultRetryMs = 1_000;
const longestRetryMs = 30_000;
/** Notifications on their way, a cancellation above all, may take this long when closing. */
const lastPostsMs = 1_000;
const deleteMs = 5_000;

/** One request and the responses that belong to it. */
interface Exchange {
  readonly id: RequestId;
  readonly method: string;
  readonly abort: AbortController;
  readonly signal: AbortSignal;
  readonly position: StreamPosition;
  answered: boolean;
}

/**
 * MCP's streamable HTTP, one POST a message and no standing GET. Each answer is routed by the
 * HTTP exchange that it came on, never by its id alone, and a request whose exchange ends, breaks
 * off or carries something else fails at once. A stream with event ids is taken up by GET, as the
 * server offers it; a POST is never sent twice.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export class StreamableHttpTransport implements GatewayTransport {
  /** Closing one request's stream cancels that request (revision 2026-07-28). */
  readonly hasPerRequestStream = true;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  onrequestfailed?: ((id: RequestId, error: GatewayError) => void) | undefined;

  readonly #options: StreamableHttpOptions;
  readonly #limits: BodyLimits;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #posts = new Set<Promise<void>>();
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;
  #upstreamRequests = 0;
  #closing: Promise<void> | null = null;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.#limits = {
      maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
      silenceMs: options.silenceMs,
      target: new URL(options.url).origin,
    };
  }

  /** HTTP requests sent so far, of every method. */
  get upstreamRequests(): number {
    return this.#upstreamRequests;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async start(): Promise<void> {
    // Nothing stands open between messages.
  }

  /** Resolves when a request has its response's head, and when anything else was taken. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (this.#closing !== null) {
      throw new GatewayError(
        "CONNECTION_LOST",
        `The connection to ${this.#limits.target} is closed.`,
      );
    }
    if ("method" in message && "id" in message) return this.#request(message, options);
    return this.#post(message);
  }

  /** Ends every exchange at once, then the session at the server. Meant to run after the answer. */
  async close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #request(message: JSONRPCRequest, options: TransportSendOptions): Promise<void> {
    const exchange = openExchange(message, options.requestSignal);
    const key = String(message.id);
    this.#exchanges.set(key, exchange);
    try {
      const headers = messageHeaders(message, this.#state(), options.headers);
      const response = await this.#fetch("POST", headers, exchange.signal, JSON.stringify(message));
      if (message.method === "initialize" && response.ok) {
        this.#sessionId = response.headers.get("mcp-session-id") ?? undefined;
      }
      if (!response.ok) return await this.#refused(exchange, response);
      const messages = await this.#messagesOf(response, exchange);
      // The answer is read while the caller waits for it elsewhere.
      this.#answer(exchange, messages)
        .catch((error: unknown) => this.onerror?.(networkFailure(error, this.#limits.target)))
        .finally(() => this.#exchanges.delete(key));
    } catch (error) {
      this.#exchanges.delete(key);
      throw error;
    }
  }

  /** Reads an exchange to its end; whatever keeps its answer from coming fails its request. */
  async #answer(exchange: Exchange, messages: AsyncIterable<unknown>): Promise<void> {
    let failure = await this.#deliverAll(exchange, messages);
    for (let resumptions = 0; this.#mayResume(exchange, failure, resumptions); resumptions += 1) {
      failure = await this.#resume(exchange);
    }
    if (exchange.answered || exchange.signal.aborted) return;
    const text = `${this.#limits.target} ended the stream without answering ${exchange.method}.`;
    this.onrequestfailed?.(
      exchange.id,
      failure ?? new GatewayError("CONNECTION_LOST", text, { executed: "maybe" }),
    );
  }

  async #deliverAll(
    exchange: Exchange,
    messages: AsyncIterable<unknown>,
  ): Promise<GatewayError | null> {
    try {
      for await (const message of messages) this.#deliver(exchange, message);
      return null;
    } catch (error) {
      if (exchange.answered || exchange.signal.aborted) return null;
      return networkFailure(error, this.#limits.target);
    }
  }

  #deliver(exchange: Exchange, value: unknown): void {
    const message = readRpcMessage(value);
    if (message.kind === "malformed")
      throw this.#invalid(`with a message that is unusable: ${message.reason}`);
    if (message.kind === "request" || message.kind === "notification")
      return this.#pass(message.message);
    if (exchange.answered) return;
    const { id } = message;
    if (id !== null && id !== String(exchange.id))
      throw this.#invalid("under the id of another request");
    exchange.answered = true;
    const rest = message.kind === "result" ? { result: message.result } : { error: message.error };
    this.#pass({ jsonrpc: "2.0", id: exchange.id, ...rest });
  }

  #pass(message: object): void {
    // The session reads messages as they came: their shape is its matter.
    this.onmessage?.(message as JSONRPCMessage);
  }

  #mayResume(
    { answered, signal, position }: Exchange,
    failure: GatewayError | null,
    resumptions: number,
  ): boolean {
    if (answered || signal.aborted || position.lastEventId === null) return false;
    return resumptions < maxResumptions && (failure === null || failure.code === "CONNECTION_LOST");
  }

  async #resume(exchange: Exchange): Promise<GatewayError | null> {
    const { signal, position } = exchange;
    await pause(Math.min(position.retryMs ?? defaultRetryMs, longestRetryMs), signal);
    const headers = connectionHeaders(this.#state());
    headers.set("accept", "text/event-stream");
    headers.set("last-event-id", position.lastEventId ?? "");
    try {
      const response = await this.#fetch("GET", headers, signal);
      if (!response.ok || readerFor(response.headers.get("content-type")) !== readEvents) {
        await discard(response);
        throw this.#invalid(`${response.status} to the request to take up a stream again`);
      }
      return await this.#deliverAll(exchange, await this.#messagesOf(response, exchange));
    } catch (error) {
      return networkFailure(error, this.#limits.target);
    }
  }

  async #messagesOf(response: Response, exchange: Exchange): Promise<AsyncIterable<unknown>> {
    const { status } = response;
    const body = bodyOf(response);
    const type = response.headers.get("content-type");
    const read = readerFor(type);
    if (body !== null && read !== null && status !== 202) {
      return read(body, this.#limits, exchange.signal, exchange.position);
    }
    await discard(response);
    if (status === 202 || status === 204 || body === null) {
      throw this.#invalid(`${exchange.method} with HTTP ${status} and no answer`);
    }
    throw this.#invalid(`${exchange.method} with content of type ${(type ?? "none").slice(0, 80)}`);
  }

  /** An HTTP error; a JSON-RPC error in its body that names the request is the server's answer. */
  async #refused(exchange: Exchange, response: Response): Promise<void> {
    const { status, statusText } = response;
    if (status < 400 || [401, 403, 429].includes(status)) {
      await discard(response);
      throw httpFailure({ status, ...readRedirect(response) }, this.#limits.target);
    }
    const body = await this.#errorBody(exchange, response);
    const message = readRpcMessage(body);
    if (message.kind === "error" && message.id === String(exchange.id))
      return this.#deliver(exchange, body);
    // The SDK reads a refused version probe as "legacy" from this class and the body's text.
    const text = body === null ? "" : JSON.stringify(body);
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, {
      status,
      statusText,
      text,
    });
  }

  async #errorBody(exchange: Exchange, response: Response): Promise<unknown> {
    const body = bodyOf(response);
    if (body === null) return null;
    try {
      for await (const value of readJson(body, this.#limits, exchange.signal, exchange.position))
        return value;
    } catch {
      // An error page that is no JSON says no more than its status.
    }
    return null;
  }

  async #post(message: JSONRPCMessage): Promise<void> {
    const post = this.#sendPost(message);
    const settled = post.catch(() => undefined).then(() => void this.#posts.delete(settled));
    this.#posts.add(settled);
    return post;
  }

  async #sendPost(message: JSONRPCMessage): Promise<void> {
    try {
      const headers = messageHeaders(message, this.#state());
      const response = await this.#fetch(
        "POST",
        headers,
        AbortSignal.timeout(deleteMs),
        JSON.stringify(message),
      );
      await discard(response);
      if (!response.ok) {
        throw httpFailure(
          { status: response.status, ...readRedirect(response) },
          this.#limits.target,
        );
      }
    } finally {
      if (isCancellation(message)) this.#abandon(message.params?.["requestId"]);
    }
  }

  /** The request was cancelled at the server: its response is no longer read. */
  #abandon(id: unknown): void {
    const key = rpcId(id);
    if (key !== null) this.#exchanges.get(key)?.abort.abort();
  }

  async #shutDown(): Promise<void> {
    for (const { abort } of this.#exchanges.values()) abort.abort();
    this.onclose?.();
    await Promise.race([Promise.all(this.#posts), pause(lastPostsMs)]);
    if (this.#sessionId === undefined || !this.#options.terminateOnClose) return;
    try {
      const headers = connectionHeaders(this.#state());
      await discard(await this.#fetch("DELETE", headers, AbortSignal.timeout(deleteMs)));
    } catch {
      // The server forgets the session by itself, later.
    }
  }

  async #fetch(
    method: string,
    headers: Headers,
    signal: AbortSignal,
    body?: string,
  ): Promise<Response> {
    this.#upstreamRequests += 1;
    const init: RequestInit = { method, headers, signal, redirect: "manual" };
    if (body !== undefined) init.body = body;
    try {
      return await this.#options.fetch(this.#options.url, init);
    } catch (error) {
      throw networkFailure(error, this.#limits.target);
    }
  }

  #state(): ConnectionState {
    return {
      headers: this.#options.headers,
      sessionId: this.#sessionId,
      protocolVersion: this.#protocolVersion,
    };
  }

  #invalid(what: string): GatewayError {
    const text = `${this.#limits.target} answered ${what}.`;
    return new GatewayError("RESPONSE_INVALID", text, { executed: "maybe" });
  }
}

function openExchange(message: JSONRPCRequest, requestSignal: AbortSignal | undefined): Exchange {
  const abort = new AbortController();
  const signal =
    requestSignal === undefined ? abort.signal : AbortSignal.any([abort.signal, requestSignal]);
  const position = { lastEventId: null, retryMs: null };
  return { id: message.id, method: message.method, abort, signal, position, answered: false };
}

function isCancellation(message: JSONRPCMessage): message is JSONRPCNotification {
  return "method" in message && message.method === "notifications/cancelled";
}

function readRedirect(response: Response) {
  return { location: readLocation(response), retryAfterS: readRetryAfter(response, Date.now()) };
}

/** The two runtimes' types differ in what a body's chunks are; they are bytes in both. */
function bodyOf(response: Response): ReadableStream<Uint8Array> | null {
  return response.body as ReadableStream<Uint8Array> | null;
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** Resolves after `ms`, or at once when `signal` aborts. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
