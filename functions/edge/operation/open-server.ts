import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type {
  OperationOptions,
  OperationResult,
  ResumedSession,
} from "../../../shared/mcp/session-types.ts";

/** What is known of the session that served an operation; null until the handshake told. */
export interface ServerFacts {
  readonly era: "legacy" | "modern" | null;
  readonly protocolVersion: string | null;
  /** Served by a process that already ran. */
  readonly warm: boolean;
  /** HTTP requests sent to a remote server. */
  readonly upstreamRequests: number;
  /** Milliseconds that the host told, by its phase. */
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** A session of the server that outlives the request, as its handle holds it. */
export interface KeptSession extends ResumedSession {
  /** The server's own id of the session. */
  readonly id: string;
}

/** Which session of the server the caller wants: one for this request, one to keep, or one kept before. */
export type SessionWish =
  | { readonly kind: "own" | "new" }
  | { readonly kind: "kept"; readonly session: KeptSession };

export interface ServerOptions extends OperationOptions {
  /** A list is asked of the server itself, even where the runner keeps it. */
  readonly refresh?: boolean;
}

export interface ServerResult extends OperationResult {
  /** A list that the runner kept from an earlier run. */
  readonly kept?: boolean | undefined;
  /** How long the server waits for the answers to its questions, where a process does. */
  readonly waits_ms?: number | undefined;
}

/** A server of either kind, ready for the operations of one request. */
export interface OpenServer {
  /** Runs one operation; a list is answered as one page with every item. */
  run(operation: McpOperation, options: ServerOptions): Promise<ServerResult>;
  facts(): ServerFacts;
  /** The session that the caller wants to keep; from now on `close` leaves it. Null without one. */
  keep(): KeptSession | null;
  /** Ends the session unless it is kept; never rejects. Run it after the answer. */
  close(): Promise<void>;
}
