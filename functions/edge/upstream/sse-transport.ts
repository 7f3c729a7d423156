import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { rpcId } from "../../../shared/mcp/rpc-message.ts";
import { shownUrl } from "../../../shared/mcp/shown-url.ts";
import { cancelledId, DuplexTransport } from "./duplex-transport.ts";
import { drain } from "./drain.ts";
import { connectionHeaders } from "./http-headers.ts";
import { bodyOf, discard } from "./http-response.ts";
import { networkFailure } from "./network-failure.ts";
import { patience } from "./patience.ts";
import { responseFailure } from "./response-failure.ts";
import { resolveSseEndpoint } from "./sse-endpoint.ts";
import { readSseEvents, type SseEvent, type SseLimits } from "./sse-events.ts";
import type { UpstreamFetch } from "./upstream-fetch.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

export interface SseOptions {
  /** The stream's address, references resolved. */
  readonly url: string;
  /** Configured headers, references resolved; sent with the stream's GET and every POST. */
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded way out. */
  readonly fetch: UpstreamFetch;
  /** Milliseconds without a byte on the stream before it counts as dead. */
  readonly silenceMs: number;
  /** Bytes of one message, inflated. Default 10 MiB. */
  readonly maxMessageBytes?: number;
}

const defaultMaxMessageBytes = 10 * 1024 * 1024;
/** A stream may carry this many times the bytes of one message. */
const messagesPerStream = 4;
const maxEvents = 100_000;
/** A message that is no request may take this long. */
const oneWayMs = 5_000;
/** Messages on their way, a cancellation above all, may take this long when closing. */
const lastPostsMs = 1_000;

/**
 * MCP's HTTP with SSE of revision 2024-11-05: the server's messages come on one event stream,
 * ours are posted to the endpoint that the stream names first. A POST is never sent twice, and a
 * stream that ends is never opened again: what waits on it fails at once.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseTransport extends DuplexTransport {
  readonly #options: SseOptions;
  readonly #limits: SseLimits;
  readonly #abort = new AbortController();
  /** Messages on their way, with what stops them; a request's under its id. */
  readonly #posts = new Map<string | symbol, { stop: AbortController; done: Promise<void> }>();
  #endpoint: string | null = null;
  #protocolVersion: string | undefined;
  #upstreamRequests = 0;

  constructor(options: SseOptions) {
    const target = shownUrl(new URL(options.url));
    super(target);
    this.#options = options;
    const maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    const { silenceMs } = options;
    const maxStreamBytes = maxMessageBytes * messagesPerStream;
    this.#limits = { maxMessageBytes, maxStreamBytes, maxEvents, silenceMs, target };
  }

  get upstreamRequests(): number {
    return this.#upstreamRequests;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  /** Opens the stream and waits for its `endpoint` event. */
  async start(): Promise<void> {
    try {
      const events = readSseEvents(await this.#openStream(), this.#limits, this.#abort.signal);
      const endpoint = resolveSseEndpoint(await this.#awaitEndpoint(events), this.#options.url);
      this.#endpoint = endpoint.href;
      // Read on while requests wait for their answers.
      this.#read(events).catch((error: unknown) => this.#lose(error));
    } catch (error) {
      this.release();
      throw networkFailure(error, this.target);
    }
  }

  protected override async transmit(message: JSONRPCMessage): Promise<void> {
    const stop = new AbortController();
    const isRequest = "id" in message && "method" in message;
    const key = isRequest ? String(message.id) : Symbol("one-way");
    const ends = [stop.signal, this.#abort.signal];
    // A request has its own time limit, by which it is cancelled.
    const signals = isRequest ? ends : [...ends, AbortSignal.timeout(oneWayMs)];
    const post = this.#post(message, AbortSignal.any(signals));
    const done = post.catch(() => undefined).then(() => void this.#posts.delete(key));
    this.#posts.set(key, { stop, done });
    try {
      await post;
    } finally {
      // The server was told: the POST of the cancelled request has nothing more to say.
      this.#posts.get(rpcId(cancelledId(message)) ?? "")?.stop.abort();
    }
  }

  protected override async flush(): Promise<void> {
    const oneWay = [...this.#posts].filter(([key]) => typeof key === "symbol");
    await patience(
      lastPostsMs,
      oneWay.map(([, { done }]) => done),
    );
  }

  protected override release(): void {
    // With a reason, the runtime makes no error with a stack.
    this.#abort.abort("released");
  }

  async #openStream(): Promise<ReadableStream<Uint8Array>> {
    const headers = this.#headers();
    headers.set("accept", "text/event-stream");
    const response = await this.#fetch(
      this.#options.url,
      { method: "GET", headers },
      this.#abort.signal,
    );
    if (!response.ok) throw await responseFailure(response, this.target);
    const type = response.headers.get("content-type") ?? "none";
    const body = bodyOf(response);
    const essence = type.split(";", 1)[0]?.trim().toLowerCase();
    if (body !== null && essence === "text/event-stream") return body;
    await discard(response);
    const text = `${this.target} answered with content of type ${wholeOrLength(type, 80)}, not an event stream.`;
    throw new GatewayError("RESPONSE_INVALID", text);
  }

  async #awaitEndpoint(events: AsyncGenerator<SseEvent, void, undefined>): Promise<string> {
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) {
        const text = `${this.target} ended the event stream without naming an endpoint.`;
        throw new GatewayError("CONNECTION_LOST", text);
      }
      if (value.type === "endpoint") return value.data;
    }
  }

  async #read(events: AsyncIterable<SseEvent>): Promise<void> {
    for await (const { type, data } of events) if (type === "message") this.receive(data);
    const text = `${this.target} ended the event stream.`;
    throw new GatewayError("CONNECTION_LOST", text, { executed: "maybe" });
  }

  #lose(error: unknown): void {
    this.end(networkFailure(error, this.target));
  }

  async #post(message: JSONRPCMessage, signal: AbortSignal): Promise<void> {
    const headers = this.#headers();
    headers.set("content-type", "application/json");
    const init = { method: "POST", headers, body: JSON.stringify(message) };
    const response = await this.#fetch(this.#endpoint ?? "", init, signal);
    if (!response.ok) throw await responseFailure(response, this.target);
    // Not waited for: the message has arrived, and a slow rest ends with the connection.
    drain(response).catch(() => undefined);
  }

  async #fetch(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    this.#countRequest();
    try {
      const request: RequestInit = { ...init, signal, redirect: "manual" };
      return await this.#options.fetch(url, request, this.#countRequest);
    } catch (error) {
      throw networkFailure(error, this.target);
    }
  }

  readonly #countRequest = (): void => {
    this.#upstreamRequests += 1;
  };

  #headers(): Headers {
    const { headers } = this.#options;
    const protocolVersion = this.#protocolVersion;
    return connectionHeaders({ headers, sessionId: undefined, protocolVersion });
  }
}
