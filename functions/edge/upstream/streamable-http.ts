import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  SdkErrorCode,
  SdkHttpError,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { httpFailure } from "../../../shared/mcp/http-failure.ts";
import { shownUrl } from "../../../shared/mcp/shown-url.ts";
import { rpcId } from "../../../shared/mcp/rpc-message.ts";
import type { GatewayTransport } from "../../../shared/mcp/session-types.ts";
import { drain } from "./drain.ts";
import { cancelledId } from "./duplex-transport.ts";
import { HttpExchange } from "./http-exchange.ts";
import { connectionHeaders, type ConnectionState, messageHeaders } from "./http-headers.ts";
import { discard, readLocation, readRetryAfter } from "./http-response.ts";
import { networkFailure } from "./network-failure.ts";
import { patience } from "./patience.ts";
import { PeerMessages } from "./peer-messages.ts";
import type { BodyLimits } from "./read-body.ts";
import { StandingStream } from "./standing-stream.ts";
import type { StreamableHttpOptions } from "./streamable-http-options.ts";

const defaultMaxMessageBytes = 10 * 1024 * 1024;
/** One notification, or the DELETE of a session, may take this long. */
const oneWayMs = 5_000;
/** Notifications on their way, a cancellation above all, may take this long when closing. */
const lastPostsMs = 1_000;

/**
 * MCP's streamable HTTP, one POST a message and no standing GET. A POST is never sent twice; a
 * stream with event ids that breaks off is taken up by GET, as the server offers it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
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
  readonly #exchanges = new Map<string, HttpExchange>();
  readonly #posts = new Set<Promise<void>>();
  readonly #peerMessages = new PeerMessages();
  /** Opened by sessions that listen. */
  #standing: StandingStream | null = null;
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;
  #upstreamRequests = 0;
  #terminates: boolean;
  #closing: Promise<void> | null = null;

  constructor(options: StreamableHttpOptions) {
    this.#options = options;
    this.#terminates = options.terminateOnClose;
    this.#sessionId = options.session?.id;
    this.#protocolVersion = options.session?.protocolVersion;
    this.#limits = {
      maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
      silenceMs: options.silenceMs,
      target: shownUrl(new URL(options.url)),
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

  /** The server's session outlives this connection: closing does not end it. */
  keepSession(): void {
    this.#terminates = false;
  }

  /**
   * Ends the session at the server. False: the server lets no client end a session, and forgets
   * it by itself, later. A session that is gone already counts as ended.
   * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
   * @throws GatewayError when the server cannot be reached or answers with another failure
   */
  async endSession(): Promise<boolean> {
    const headers = connectionHeaders(this.#state());
    const response = await this.#fetch("DELETE", headers, AbortSignal.timeout(oneWayMs));
    const { status } = response;
    if (!response.ok && ![400, 404, 405].includes(status)) throw await this.#httpFailure(response);
    await discard(response);
    return status !== 405;
  }

  /** Nothing stands open between messages. */
  async start(): Promise<void> {}

  /** Resolves when a request has its response's head, and when anything else was taken. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#requireOpen();
    if ("method" in message && "id" in message) return this.#request(message, options);
    return this.#post(message);
  }

  /** Ends every exchange at once, then the session at the server. Meant to run after the answer. */
  async close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  #requireOpen(): void {
    if (this.#closing === null) return;
    const text = `The connection to ${this.#limits.target} is closed.`;
    throw new GatewayError("CONNECTION_LOST", text);
  }

  async #request(message: JSONRPCRequest, options: TransportSendOptions): Promise<void> {
    if (this.#mayBeAskedDuring(message)) {
      this.#standing ??= this.#standingStream();
      await this.#standing.open();
      this.#requireOpen();
    }
    const exchange = this.#openExchange(message, options.requestSignal);
    const forget = (): void => void this.#exchanges.delete(String(message.id));
    try {
      const headers = messageHeaders(message, this.#state(), options.headers);
      const response = await this.#fetch("POST", headers, exchange.signal, JSON.stringify(message));
      if (!response.ok) return await this.#refused(exchange, response);
      if (message.method === "initialize") {
        this.#sessionId = response.headers.get("mcp-session-id") ?? undefined;
      }
      const messages = await exchange.open(response);
      // Read on while the caller waits for the answer elsewhere.
      this.#read(exchange, messages).catch(this.#report).finally(forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  #standingStream(): StandingStream {
    return new StandingStream({
      limits: this.#limits,
      ask: (lastEventId, signal) => this.#askForEvents(lastEventId, signal),
      // The session reads messages as they came: their shape is its matter.
      onMessage: (received) => this.#receive(received as JSONRPCMessage),
      onFailure: this.#report,
    });
  }

  #openExchange(message: JSONRPCRequest, requestSignal: AbortSignal | undefined): HttpExchange {
    const exchange = new HttpExchange(message, {
      limits: this.#limits,
      requestSignal,
      takeUp: (lastEventId, signal) => this.#askForEvents(lastEventId, signal),
      onMessage: (received) => this.#receive(received),
    });
    this.#exchanges.set(String(message.id), exchange);
    return exchange;
  }

  #receive(message: JSONRPCMessage): void {
    this.#peerMessages.count(message, this.#limits.target);
    this.onmessage?.(message);
  }

  async #read(exchange: HttpExchange, messages: AsyncIterable<unknown>): Promise<void> {
    const failure = await exchange.read(messages);
    if (failure !== null) this.onrequestfailed?.(exchange.id, failure);
  }

  readonly #report = (error: unknown): void => {
    this.onerror?.(networkFailure(error, this.#limits.target));
  };

  async #askForEvents(lastEventId: string | null, signal: AbortSignal): Promise<Response> {
    const headers = connectionHeaders(this.#state());
    headers.set("accept", "text/event-stream");
    if (lastEventId !== null) headers.set("last-event-id", lastEventId);
    return this.#fetch("GET", headers, signal);
  }

  /** Without a session the server could not tell whose stream it is; the newer era has none. */
  #mayBeAskedDuring({ method, params }: JSONRPCRequest): boolean {
    if (this.#options.listens !== true || this.#sessionId === undefined) return false;
    return method !== "initialize" && params?._meta?.[PROTOCOL_VERSION_META_KEY] === undefined;
  }

  /** An HTTP error; a JSON-RPC error in its body that names the request is the server's answer. */
  async #refused(exchange: HttpExchange, response: Response): Promise<void> {
    const { status, statusText } = response;
    if (status < 400 || [401, 403, 429].includes(status)) throw await this.#httpFailure(response);
    // A resumed session that is gone, whatever the body says of it.
    if (status === 404 && this.#options.session !== undefined)
      throw await this.#httpFailure(response);
    const body = await exchange.errorBody(response);
    if (exchange.readError(body)) return;
    // The SDK reads a refused version probe as "legacy" from this class and the body's text.
    const text = body === null ? "" : JSON.stringify(body);
    const data = { status, statusText, text };
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, data);
  }

  async #httpFailure(response: Response): Promise<GatewayError> {
    await discard(response);
    const location = readLocation(response);
    const retryAfterS = readRetryAfter(response, Date.now());
    return httpFailure({ status: response.status, location, retryAfterS }, this.#limits.target);
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
      const signal = AbortSignal.timeout(oneWayMs);
      const response = await this.#fetch("POST", headers, signal, JSON.stringify(message));
      if (!response.ok) throw await this.#httpFailure(response);
      // Not waited for: the message has arrived.
      drain(response).catch(() => undefined);
    } finally {
      this.#abandon(cancelledId(message));
    }
  }

  /** A request that was cancelled at the server: its response is no longer read. */
  #abandon(id: unknown): void {
    const key = rpcId(id);
    if (key !== null) this.#exchanges.get(key)?.abandon();
  }

  async #shutDown(): Promise<void> {
    this.#standing?.close();
    for (const exchange of this.#exchanges.values()) exchange.abandon();
    this.onclose?.();
    if (this.#posts.size > 0) await patience(lastPostsMs, this.#posts);
    if (this.#sessionId === undefined || !this.#terminates) return;
    try {
      await this.endSession();
    } catch {
      // The server forgets the session by itself, later.
    }
  }

  async #fetch(method: string, headers: Headers, signal: AbortSignal, body?: string) {
    this.#countRequest();
    const sent = body === undefined ? {} : { body };
    const init: RequestInit = { method, headers, signal, redirect: "manual", ...sent };
    try {
      return await this.#options.fetch(this.#options.url, init, this.#countRequest);
    } catch (error) {
      // The version is known once the handshake is through.
      throw networkFailure(error, this.#limits.target, this.#protocolVersion === undefined);
    }
  }

  readonly #countRequest = (): void => {
    this.#upstreamRequests += 1;
  };

  #state(): ConnectionState {
    return {
      headers: this.#options.headers,
      sessionId: this.#sessionId,
      protocolVersion: this.#protocolVersion,
    };
  }
}
