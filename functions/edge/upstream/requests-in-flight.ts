import type { RequestId } from "@modelcontextprotocol/client";
import { readRpcMessage, rpcId } from "../../../shared/mcp/rpc-message.ts";

/** What a message is to a connection that all of its requests share. */
export type Incoming =
  | { readonly kind: "message"; readonly message: object }
  /** An answer that nobody waits for: to a request that was cancelled, or answered already. */
  | { readonly kind: "late" }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * The requests of one connection that wait for an answer. It tells an answer that comes too late,
 * which is harmless, from one that was never asked for, which may stand in the place of another.
 */
export class RequestsInFlight {
  readonly #waiting = new Map<string, RequestId>();
  readonly #sent = new Set<string>();

  /** The request is about to be sent. */
  add(id: RequestId): void {
    this.#waiting.set(String(id), id);
    this.#sent.add(String(id));
  }

  /** Nobody waits for the request any more; false when nobody did. */
  remove(id: unknown): boolean {
    const key = rpcId(id);
    return key !== null && this.#waiting.delete(key);
  }

  /** Removes all of them, and answers which they were. */
  removeAll(): RequestId[] {
    const ids = [...this.#waiting.values()];
    this.#waiting.clear();
    return ids;
  }

  /** Sorts a value that came in. An answer gets its request's own id, and settles it. */
  receive(value: unknown): Incoming {
    const message = readRpcMessage(value);
    if (message.kind === "malformed") return { kind: "unusable", reason: message.reason };
    if (message.kind === "request" || message.kind === "notification") {
      return { kind: "message", message: message.message };
    }
    const key = message.id ?? this.#onlyWaiting();
    if (key === null) return { kind: "unusable", reason: "its error names no request" };
    const id = this.#waiting.get(key);
    if (id === undefined) return this.#unclaimed(key);
    this.#waiting.delete(key);
    const rest = message.kind === "result" ? { result: message.result } : { error: message.error };
    return { kind: "message", message: { jsonrpc: "2.0", id, ...rest } };
  }

  /** An error without an id is about a message whose id the server could not read. */
  #onlyWaiting(): string | null {
    const [key] = this.#waiting.keys();
    return this.#waiting.size === 1 && key !== undefined ? key : null;
  }

  #unclaimed(key: string): Incoming {
    if (this.#sent.has(key)) return { kind: "late" };
    return { kind: "unusable", reason: "it answers a request that was never sent" };
  }
}
