import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { GatewayError } from "../errors/gateway-error.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { isHandshake, readHandshake } from "./read-handshake.ts";
import { readRpcMessage, rpcId } from "./rpc-message.ts";
import type { GatewayTransport } from "./session-types.ts";
import { WireIds } from "./wire-ids.ts";

interface Pending {
  /** As the client knows it; requests are looked up by their ids on the wire. */
  readonly id: RequestId;
  readonly method: string;
  readonly modern: boolean;
}

/**
 * Stands between a transport and the SDK's client. The client's schemas would throw a whole
 * answer away for one bad part, so they never see one: an operation's answer is read here, kept
 * under a ticket, and the client is given a small result that holds the ticket. Handshakes and
 * everything that the server sends of its own accord go on to the client, slips repaired.
 *
 * A request settles exactly once: by its answer, by the transport's word that there will be none,
 * or by the end of the connection.
 */
export class TolerantTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  /** How the latest request failed to be sent, or its handshake failed: the SDK tells less of it. */
  lastFailure: unknown = null;
  /** The protocol version that the server answered `initialize` with. */
  offeredVersion: string | null = null;

  readonly #inner: GatewayTransport;
  readonly #target: string;
  readonly #ids: WireIds;
  readonly #pending = new Map<string, Pending>();
  readonly #answers = new Map<string, Answer>();
  #endReason: GatewayError | null = null;

  constructor(inner: GatewayTransport, target: string, ids: WireIds) {
    this.#inner = inner;
    this.#target = target;
    this.#ids = ids;
    inner.onmessage = (message) => this.#receive(message);
    inner.onrequestfailed = (id, error) => this.#fail(String(id), error);
    inner.onerror = (error) => {
      if (error instanceof GatewayError) this.#endReason = error;
      this.onerror?.(error);
    };
    inner.onclose = () => {
      this.failAll(() => this.endReason());
      this.onclose?.();
    };
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    await this.#inner.start();
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /**
   * Closes from our side, once nothing is in flight. The SDK's client is not told: it would make
   * an error for each of its requests, of which there are none.
   */
  async leave(): Promise<void> {
    this.onclose = () => undefined;
    await this.close();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = this.#ids.toWire(message);
    const key = this.#remember(message, sent, options?.requestSignal);
    try {
      await this.#inner.send(sent, options);
    } catch (error) {
      if (key !== null) this.#pending.delete(key);
      this.lastFailure = error;
      throw error;
    }
  }

  /** Takes the answer that `result`, as the SDK's client returned it, holds the ticket of. */
  take(result: unknown): Answer | null {
    const ticket = isJsonObject(result) ? result["requestState"] : undefined;
    if (typeof ticket !== "string") return null;
    const answer = this.#answers.get(ticket) ?? null;
    this.#answers.delete(ticket);
    return answer;
  }

  /** Settles every request in flight with one error, made where there is such a request. */
  failAll(errorOf: () => GatewayError): void {
    if (this.#pending.size === 0) return;
    const error = errorOf();
    for (const key of this.#pending.keys()) this.#fail(key, error);
  }

  /** Why the connection ended, as far as the transport told. */
  endReason(): GatewayError {
    const text = `The connection to ${this.#target} ended.`;
    return this.#endReason ?? new GatewayError("CONNECTION_LOST", text, { executed: "maybe" });
  }

  #remember(
    message: JSONRPCMessage,
    sent: JSONRPCMessage,
    signal: AbortSignal | undefined,
  ): string | null {
    if (!("method" in message) || !("method" in sent)) return null;
    if (!("id" in message) || !("id" in sent)) {
      if (sent.method === "notifications/cancelled") this.#forget(sent.params?.["requestId"]);
      return null;
    }
    const key = String(sent.id);
    this.lastFailure = null;
    this.#pending.set(key, { id: message.id, method: message.method, modern: isModern(message) });
    signal?.addEventListener("abort", () => this.#pending.delete(key), { once: true });
    return key;
  }

  /** The caller no longer waits: an answer that still comes is nobody's. */
  #forget(id: unknown): void {
    const key = rpcId(id);
    if (key !== null) this.#pending.delete(key);
  }

  #receive(value: unknown): void {
    const message = readRpcMessage(value);
    if (message.kind === "malformed")
      return this.#report(`a message that is unusable: ${message.reason}`);
    if (message.kind === "request" || message.kind === "notification")
      return this.#pass(this.#ids.fromWire(message.message));
    const key = message.id ?? this.#onlyPending();
    const pending = key === null ? undefined : this.#pending.get(key);
    if (key === null || pending === undefined)
      return this.#report("an answer to no request in flight");
    if (!isHandshake(pending.method)) {
      return this.#settle(key, pending, readAnswer(message, { ...pending, target: this.#target }));
    }
    this.#pending.delete(key);
    if (message.kind === "error")
      return this.#pass({ jsonrpc: "2.0", id: pending.id, error: message.error });
    const result = readHandshake(pending.method, message.result);
    this.#noteVersion(result);
    this.#pass({ jsonrpc: "2.0", id: pending.id, result });
  }

  /** An error without an id is about a message whose id the server could not read. */
  #onlyPending(): string | null {
    const [key] = this.#pending.keys();
    return this.#pending.size === 1 && key !== undefined ? key : null;
  }

  #fail(key: string, error: GatewayError): void {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    if (!isHandshake(pending.method)) return this.#settle(key, pending, { ok: false, error });
    this.#pending.delete(key);
    this.lastFailure = error;
    this.#pass({ jsonrpc: "2.0", id: pending.id, error: { code: -32603, message: error.message } });
  }

  #settle(key: string, pending: Pending, answer: Answer): void {
    this.#pending.delete(key);
    this.#answers.set(key, answer);
    // Both eras hand a result of this kind through to the caller without looking into it.
    const result = { resultType: "input_required", requestState: key };
    this.onmessage?.({ jsonrpc: "2.0", id: pending.id, result });
  }

  #noteVersion(result: unknown): void {
    const version = isJsonObject(result) ? result["protocolVersion"] : undefined;
    if (typeof version === "string") this.offeredVersion = version;
  }

  #pass(message: JsonObject): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(message));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new TypeError(String(error)));
    }
  }

  #report(what: string): void {
    this.onerror?.(new GatewayError("RESPONSE_INVALID", `${this.#target} sent ${what}.`));
  }
}

function isModern(message: JSONRPCRequest): boolean {
  const meta = message.params?._meta;
  return meta !== undefined && PROTOCOL_VERSION_META_KEY in meta;
}
