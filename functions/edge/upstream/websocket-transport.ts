import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { measureText } from "../../../shared/content/measure-text.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { shownUrl } from "../../../shared/mcp/shown-url.ts";
import { DuplexTransport } from "./duplex-transport.ts";
import type { GuardedWebSocket } from "./guarded-websocket.ts";
import { networkFailure } from "./network-failure.ts";
import { pause } from "./pause.ts";
import { tooLarge } from "./read-body.ts";
import { socketOf, type UpstreamSocket } from "./websocket-upgrade.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

export interface WebSocketOptions {
  /** A ws:// or wss:// URL, references resolved. */
  readonly url: string;
  /** Configured headers, references resolved; sent with the upgrade. */
  readonly headers: Readonly<Record<string, string>>;
  /** The guarded way out. */
  readonly open: GuardedWebSocket;
  /** Milliseconds without a message before the connection counts as dead; pings do not count. */
  readonly silenceMs: number;
  /** Bytes of one message. Default 8 MiB. */
  readonly maxFrameBytes?: number;
}

const subprotocol = "mcp";
const defaultMaxFrameBytes = 8 * 1024 * 1024;
/** The server may take this long to agree to the end of the connection. */
const farewellMs = 1_000;
/** Close codes of RFC 6455 §7.4.1. */
const normalClosure = 1000;
const closedAbnormally = 1006;
const tooBig = 1009;

/**
 * MCP over a WebSocket, as the 2025 SDKs write it: subprotocol `mcp`, one JSON-RPC message a text
 * frame, the legacy handshake. A connection that ends is never opened again: what waits on it
 * fails at once, with the server's close code and reason.
 */
export class WebSocketTransport extends DuplexTransport {
  readonly #options: WebSocketOptions;
  readonly #maxFrameBytes: number;
  readonly #abort = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  #socket: UpstreamSocket | null = null;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #upstreamRequests = 0;
  #closeCode = normalClosure;

  constructor(options: WebSocketOptions) {
    super(shownUrl(new URL(options.url)));
    this.#options = options;
    this.#maxFrameBytes = options.maxFrameBytes ?? defaultMaxFrameBytes;
  }

  get upstreamRequests(): number {
    return this.#upstreamRequests;
  }

  /** Opens the WebSocket. */
  async start(): Promise<void> {
    try {
      const socket = await this.#open();
      this.#listen(socket);
      this.#socket = socket;
      this.#abort.signal.throwIfAborted();
      this.#watchSilence();
    } catch (error) {
      this.release();
      throw networkFailure(error, this.target);
    }
  }

  protected override async transmit(message: JSONRPCMessage): Promise<void> {
    try {
      this.#socket?.send(JSON.stringify(message));
    } catch (cause) {
      const text = `The connection to ${this.target} takes no more messages.`;
      throw new GatewayError("CONNECTION_LOST", text, { cause });
    }
  }

  /** A close frame goes out behind the last messages. */
  protected override async flush(): Promise<void> {
    if (this.#socket === null) return;
    closeSocket(this.#socket, this.#closeCode);
    await Promise.race([this.#closed.promise, pause(farewellMs)]);
  }

  protected override release(): void {
    this.#disarm();
    this.#abort.abort();
    if (this.#socket !== null) closeSocket(this.#socket, this.#closeCode);
  }

  async #open(): Promise<UpstreamSocket> {
    this.#upstreamRequests += 1;
    const { url, headers, open } = this.#options;
    const response = await open(url, { headers, subprotocol, signal: this.#abort.signal });
    return socketOf(response, subprotocol, this.target);
  }

  #listen(socket: UpstreamSocket): void {
    socket.addEventListener("message", ({ data }) => this.#read(data));
    socket.addEventListener("error", ({ error }) => {
      this.#closed.resolve();
      const told = error instanceof Error ? ` (${wholeOrLength(error.message, 200)})` : "";
      this.#lose(`broke off${told}`, error);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.#closed.resolve();
      this.#lose(describeClose(code, reason), undefined, { code, reason });
    });
    // Binary frames would arrive as Blobs, which are read out of order.
    socket.binaryType = "arraybuffer";
    socket.accept();
  }

  #read(data: unknown): void {
    if (this.over) return;
    this.#watchSilence();
    const text = typeof data === "string" ? data : decode(data);
    if (!this.#fits(text)) {
      this.#closeCode = tooBig;
      return this.end(tooLarge(this.#maxFrameBytes, this.target));
    }
    this.receive(text);
  }

  #fits(text: string): boolean {
    if (text.length > this.#maxFrameBytes) return false;
    // UTF-8 takes at most three bytes a UTF-16 unit.
    return (
      text.length * 3 <= this.#maxFrameBytes || measureText(text).utf8Bytes <= this.#maxFrameBytes
    );
  }

  #watchSilence(): void {
    this.#disarm();
    const { silenceMs } = this.#options;
    this.#silence = setTimeout(() => this.#lose(`carried nothing for ${silenceMs} ms`), silenceMs);
  }

  #disarm(): void {
    if (this.#silence !== undefined) clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #lose(how: string, cause?: unknown, close?: { code: number; reason: string }): void {
    const text = `The WebSocket of ${this.target} ${how}.`;
    const details = close && { close_code: close.code, close_reason: close.reason };
    this.end(
      new GatewayError("CONNECTION_LOST", text, {
        executed: "maybe",
        ...(cause === undefined ? {} : { cause }),
        ...(details === undefined ? {} : { details }),
      }),
    );
  }
}

/** A server that sends its text as bytes is understood all the same. */
function decode(data: unknown): string {
  return data instanceof ArrayBuffer ? new TextDecoder().decode(data) : "";
}

function describeClose(code: number, reason: string): string {
  if (code === closedAbnormally) return "broke off without a close frame";
  const told = reason === "" ? `code ${code}` : `code ${code}: ${reason}`;
  return `was closed by the server (${told})`;
}

function closeSocket(socket: UpstreamSocket, code: number): void {
  try {
    socket.close(code);
  } catch {
    // It is closed already.
  }
}
