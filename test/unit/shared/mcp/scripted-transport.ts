import type { JSONRPCMessage, RequestId, TransportSendOptions } from "@modelcontextprotocol/client";
import type { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { GatewayTransport } from "../../../../shared/mcp/session-types.ts";

export interface Sent {
  readonly id?: RequestId | undefined;
  readonly method?: string | undefined;
  readonly params?: Record<string, unknown> | undefined;
}

/** Answers one request; undefined leaves it unanswered. */
export type Script = (request: Sent) => Record<string, unknown> | undefined;

/** A server in the same process, which answers as its script says; a legacy one where it does not. */
export class ScriptedTransport implements GatewayTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: GatewayTransport["onmessage"];
  onrequestfailed?: (id: RequestId, error: GatewayError) => void;
  readonly sent: Sent[] = [];
  /** Headers that go with each message of `sent`. */
  readonly headers: Readonly<Record<string, string>>[] = [];
  readonly hasPerRequestStream: boolean;
  closed = false;
  readonly #script: Script;

  constructor(script: Script = () => undefined, hasPerRequestStream = false) {
    this.#script = script;
    this.hasPerRequestStream = hasPerRequestStream;
  }

  async start(): Promise<void> {
    // In the same process there is nothing to open.
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const sent = message as Sent;
    this.sent.push(sent);
    this.headers.push(options?.headers ?? {});
    if (sent.id === undefined || sent.method === undefined) return;
    const answer = this.#script(sent) ?? usual(sent.method);
    if (answer !== undefined)
      queueMicrotask(() => this.receive({ jsonrpc: "2.0", id: sent.id, ...answer }));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }

  /** A message from the server, of whatever shape. */
  receive(message: unknown): void {
    this.onmessage?.(message as JSONRPCMessage);
  }

  /** The connection ends by itself. */
  end(reason?: GatewayError): void {
    if (reason !== undefined) this.onerror?.(reason);
    this.onclose?.();
  }

  /** Fails the latest request of a method. */
  failLatest(method: string, error: GatewayError): void {
    const latest = this.sent.findLast((request) => request.method === method);
    this.onrequestfailed?.(latest?.id ?? -1, error);
  }

  count(method: string): number {
    return this.sent.filter((request) => request.method === method).length;
  }
}

function usual(method: string): Record<string, unknown> | undefined {
  if (method === "initialize") {
    const serverInfo = { name: "scripted", version: "1" };
    return { result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo } };
  }
  return method === "tools/list"
    ? { result: { tools: [{ name: "known", inputSchema: {} }] } }
    : undefined;
}
