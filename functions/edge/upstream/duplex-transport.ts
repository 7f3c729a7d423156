import type { JSONRPCMessage, MessageExtraInfo, RequestId } from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { GatewayTransport } from "../../../shared/mcp/session-types.ts";
import { PeerMessages } from "./peer-messages.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";

/**
 * A transport whose requests share one connection: an answer is known by its id alone. Every
 * request settles once, by its answer or by the reason why there will be none; a message that
 * cannot be read may have been any request's answer, so it fails all that wait.
 */
export abstract class DuplexTransport implements GatewayTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  onrequestfailed?: ((id: RequestId, error: GatewayError) => void) | undefined;

  /** The server's origin, for messages. */
  protected readonly target: string;
  readonly #inFlight = new RequestsInFlight();
  readonly #peerMessages = new PeerMessages();
  #over = false;
  #closing: Promise<void> | null = null;

  constructor(target: string) {
    this.target = target;
  }

  /** The connection has ended, by whichever side: nothing that comes on it counts. */
  protected get over(): boolean {
    return this.#over;
  }

  /** HTTP requests sent so far, of every method. */
  abstract get upstreamRequests(): number;

  /** Resolves when messages can be sent. Rejects with a GatewayError. */
  abstract start(): Promise<void>;

  /** Hands one message to the connection. */
  protected abstract transmit(message: JSONRPCMessage): Promise<void>;

  /** Waits, for a short while, until what was sent last has left. Never rejects. */
  protected abstract flush(): Promise<void>;

  /** Lets go of the connection at once. */
  protected abstract release(): void;

  /** Resolves when the connection has taken the message. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#over) {
      throw new GatewayError("CONNECTION_LOST", `The connection to ${this.target} is closed.`);
    }
    const id = "method" in message && "id" in message ? message.id : null;
    if (id !== null) this.#inFlight.add(id);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#inFlight.remove(cancelled);
    try {
      await this.transmit(message);
    } catch (error) {
      // A request that was settled meanwhile is not failed a second time.
      if (id === null || this.#inFlight.remove(id)) throw error;
    }
  }

  /** Ends the connection from our side. Meant to run after the answer. */
  async close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Takes one text of the server: a message, or a batch of them (revision 2025-03-26). */
  protected receive(text: string): void {
    if (this.#over) return;
    try {
      const value: unknown = JSON.parse(text);
      for (const one of Array.isArray(value) ? value : [value]) this.#take(one);
    } catch (error) {
      if (error instanceof GatewayError) return this.end(error);
      if (!(error instanceof SyntaxError)) throw error;
      this.#failWaiting("something that is not JSON", error);
    }
  }

  /** The connection has ended by itself: what waits on it fails at once. */
  protected end(reason: GatewayError): void {
    if (this.#over) return;
    this.#over = true;
    this.#inFlight.removeAll();
    this.release();
    this.onerror?.(reason);
    this.onclose?.();
  }

  async #shutDown(): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      this.onclose?.();
    }
    await this.flush();
    this.release();
  }

  #take(value: unknown): void {
    const incoming = this.#inFlight.receive(value);
    if (incoming.kind === "unusable") {
      this.#failWaiting(`a message that is unusable: ${incoming.reason}`);
    } else if (incoming.kind === "message") {
      this.#peerMessages.count(incoming.message, this.target);
      // The session reads messages as they came: their shape is its matter.
      this.onmessage?.(incoming.message as JSONRPCMessage);
    }
  }

  #failWaiting(what: string, cause?: unknown): void {
    const text = `${this.target} sent ${what}.`;
    const failure = new GatewayError("RESPONSE_INVALID", text, { executed: "maybe", cause });
    const waiting = this.#inFlight.removeAll();
    for (const id of waiting) this.onrequestfailed?.(id, failure);
    if (waiting.length === 0) this.onerror?.(failure);
  }
}

/** The request that a message cancels, undefined when it cancels none. */
export function cancelledId(message: JSONRPCMessage): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.["requestId"];
}
