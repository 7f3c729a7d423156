import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { GatewayTransport } from "../../../shared/mcp/session-types.ts";
import { type Codec, encodeFrame, type ReadBytes } from "./codec.ts";
import { type Frame, LineFramer } from "./line-framer.ts";
import { OrderedDelivery } from "./ordered-delivery.ts";
import { maxBatchLength, readStdoutLine } from "./stdout-message.ts";

export interface StdioTransportOptions {
  readonly codec: Codec;
  readonly maxFrameBytes: number;
  /** The session listens from now on: stdout may be read. */
  readonly onStart: () => void;
  /** Messages come faster than they are handled: stdout is not to be read while this is so. */
  readonly onBacklog: (exists: boolean) => void;
  /** Writes one frame, an answer to a request of the server's own or not; rejects when it cannot be. */
  readonly write: (
    frame: string | Uint8Array,
    kind: { readonly isAnswer: boolean },
  ) => Promise<void>;
  /** The session closes the transport: the process is to be stopped. */
  readonly onCloseRequest: () => Promise<void>;
  /** A line of stdout that is no message of the protocol. */
  readonly onNoise: (noise: { readonly text: string; readonly looksLikeProtocol: boolean }) => void;
  /** A line without an end came: nothing after it can be read. */
  readonly onFlood: () => void;
}

/** MCP over the stdin and stdout of a process: one JSON-RPC message a line. */
export class StdioTransport implements GatewayTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: GatewayTransport["onmessage"];
  onrequestfailed?: GatewayTransport["onrequestfailed"];
  readonly #options: StdioTransportOptions;
  readonly #framer: LineFramer;
  readonly #read: ReadBytes;
  readonly #delivery: OrderedDelivery;
  readonly #inFlight = new Set<RequestId>();
  #ended = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#framer = new LineFramer(options.maxFrameBytes);
    this.#read = options.codec.openReader();
    this.#delivery = new OrderedDelivery({ onBacklog: options.onBacklog });
  }

  /** Bytes of the largest line that is read from now on. */
  set maxFrameBytes(bytes: number) {
    this.#framer.maxBytes = bytes;
  }

  async start(): Promise<void> {
    this.#options.onStart();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#ended) throw new GatewayError("CONNECTION_LOST", "The server's process has ended.");
    if ("method" in message && "id" in message) this.#inFlight.add(message.id);
    const cancelled = cancelledId(message);
    if (cancelled !== null) this.#inFlight.delete(cancelled);
    const frame = this.#options.codec.encode(encodeFrame(message));
    await this.#options.write(frame, { isAnswer: !("method" in message) });
  }

  async close(): Promise<void> {
    await this.#options.onCloseRequest();
  }

  /** Bytes of stdout. */
  receive(chunk: Uint8Array): void {
    for (const frame of this.#framer.push(this.#read(chunk))) this.#handle(frame);
  }

  /** The process can answer nothing any more; `reason` is what calls in flight fail with. */
  end(reason: GatewayError): void {
    if (this.#ended) return;
    for (const frame of this.#framer.rest()) this.#handle(frame);
    this.#ended = true;
    this.#delivery.dropRequests();
    const close = () => {
      this.onerror?.(reason);
      this.onclose?.();
    };
    this.#delivery.push({ run: close, isNotification: false });
  }

  #handle(frame: Frame): void {
    if (frame.kind === "line") this.#handleLine(frame.bytes);
    else if (frame.kind === "flood") this.#handleFlood(frame.limitBytes);
    else if (frame.isAnswer || !this.#options.codec.asciiSafe) this.#handleOversize(frame);
  }

  #handleLine(bytes: Uint8Array): void {
    const text = this.#decode(bytes);
    if (text === null) return;
    const line = readStdoutLine(text);
    if (line.kind === "noise")
      this.#options.onNoise({ text, looksLikeProtocol: line.looksLikeProtocol });
    if (line.kind === "batch-too-long") this.#failAll(batchTooLong(line.length));
    if (line.kind === "messages") for (const message of line.messages) this.#deliver(message);
  }

  #decode(bytes: Uint8Array): string | null {
    const { label, decode } = this.#options.codec;
    try {
      return decode(bytes);
    } catch {
      const told = `The server wrote a line that is not ${label}.`;
      const hint = "Set `encoding` in the server's config to the encoding that the server writes.";
      this.#failAll(
        new GatewayError("RESPONSE_INVALID", told, { hint, details: { encoding: label } }),
      );
      return null;
    }
  }

  #handleOversize(frame: { readonly id: RequestId | null; readonly limitBytes: number }): void {
    const id = this.#options.codec.asciiSafe ? frame.id : null;
    const error = tooLarge(frame.limitBytes);
    if (id === null) this.#failAll(error);
    else if (this.#inFlight.has(id)) this.#fail(id, error);
  }

  #handleFlood(limitBytes: number): void {
    this.#failAll(tooLarge(limitBytes));
    this.#options.onFlood();
  }

  #failAll(error: GatewayError): void {
    for (const id of this.#inFlight) this.#fail(id, error);
  }

  #fail(id: RequestId, error: GatewayError): void {
    this.#inFlight.delete(id);
    const run = () => this.onrequestfailed?.(id, error.with({ executed: "maybe" }));
    this.#delivery.push({ run, isNotification: false });
  }

  #deliver(message: JSONRPCMessage): void {
    const id = "method" in message ? undefined : message.id;
    if (id !== undefined) this.#inFlight.delete(id);
    this.#delivery.push({
      run: () => this.#hand(message, id),
      isNotification: "method" in message && !("id" in message),
      isRequest: "method" in message && "id" in message,
    });
  }

  /** Whatever a message does to its reader must end its own call at most, never the host. */
  #hand(message: JSONRPCMessage, id: RequestId | undefined): void {
    try {
      this.onmessage?.(message);
    } catch (cause) {
      const told = "The server's answer could not be read.";
      const error = new GatewayError("RESPONSE_INVALID", told, { executed: "maybe", cause });
      if (id !== undefined) this.onrequestfailed?.(id, error);
    }
  }
}

function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError(
    "RESPONSE_TOO_LARGE",
    `The server's answer is larger than ${limitBytes} bytes.`,
    {
      details: { limit_bytes: limitBytes },
    },
  );
}

function batchTooLong(length: number): GatewayError {
  const told = `The server wrote ${length} messages on one line; at most ${maxBatchLength} are read.`;
  return new GatewayError("RESPONSE_INVALID", told, {
    details: { messages: length, limit: maxBatchLength },
  });
}

/** A cancelled request is answered by nobody. */
function cancelledId(message: JSONRPCMessage): RequestId | null {
  if (!("method" in message) || message.method !== "notifications/cancelled") return null;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}
