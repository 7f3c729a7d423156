import type {
  ClientCapabilities,
  PriorDiscovery,
  RequestId,
  Transport,
} from "@modelcontextprotocol/client";
import type { Warning } from "../content/call-result.ts";
import type { GatewayError } from "../errors/gateway-error.ts";

/** States of a session; the last two are terminal. The table of transitions is in session-states.ts. */
export type SessionState = "CREATED" | "CONNECTING" | "CONNECTED" | "DISCONNECTED" | "ERROR";

/**
 * A transport that a session runs on: any SDK `Transport`. It hands on each message as parsed
 * JSON, unchecked, so that the session can repair what a schema would refuse.
 *
 * How it reports failures: a request that cannot be sent rejects `send`; a request that was sent
 * and will get no answer is told to `onrequestfailed`; a connection that ends by itself gives its
 * reason to `onerror` as a GatewayError and then calls `onclose`. The GatewayError's `executed`
 * says whether the request's bytes may have left.
 */
export interface GatewayTransport extends Transport {
  /** Set by the session. Fails one request at once; the others go on. */
  onrequestfailed?: ((id: RequestId, error: GatewayError) => void) | undefined;
}

export interface SessionOptions {
  /** The server's name in the config; error messages use it. */
  readonly name: string;
  /** What failed to be reached, for messages: an origin, or a command with its values masked. */
  readonly target: string;
  /**
   * Opens a transport that was not started yet. Called once, and a second time after a version
   * probe that hung or met a server error. Rejects with a GatewayError where it knows the reason.
   */
  readonly openTransport: (signal: AbortSignal) => Promise<GatewayTransport> | GatewayTransport;
  /** Protocol revision: negotiated, legacy, or pinned. */
  readonly protocol: "auto" | "legacy" | "2026-07-28";
  /** A dated verdict from an earlier connect to the same server, which saves the probe. */
  readonly prior?: PriorDiscovery;
  /** Handed to the server as `capabilities.experimental["dev.gangway/config"]`. */
  readonly config?: Record<string, unknown>;
  /** Further capabilities of the caller. */
  readonly capabilities?: ClientCapabilities;
  /** Milliseconds for connecting and the handshake together. */
  readonly connectTimeoutMs: number;
  /** Pages of one list before it counts as endless. Default 1,000. */
  readonly maxListPages?: number;
  /** Server notifications as they come, progress excepted. */
  readonly onNotification?: (notification: SessionNotification) => void;
  /** Conditions outside any one operation: an unreadable message, a failed list refresh. */
  readonly onException?: (error: Error) => void;
}

/** A server notification that is not part of one operation's answer. */
export interface SessionNotification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface OperationOptions {
  /** Milliseconds for the operation. */
  readonly timeoutMs: number;
  /** Progress restarts `timeoutMs`, up to this total. Default: `timeoutMs`. */
  readonly extendsToMs?: number;
  /** Aborting cancels the operation, at the server as well. */
  readonly signal?: AbortSignal;
  /** The operation's bytes may have left from here on. */
  readonly onSent?: () => void;
  readonly onProgress?: (progress: Progress) => void;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema, as the server sent it. */
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly Record<string, unknown>[];
  readonly _meta?: Record<string, unknown>;
}

/** All pages of one list; items that could not be read are told in `warnings`. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly warnings: readonly Warning[];
}

/** The server's result object as it came, malformed parts repaired and told in `warnings`. */
export interface OperationResult {
  readonly result: Record<string, unknown>;
  readonly warnings: readonly Warning[];
}

export interface SessionInfo {
  readonly era: "legacy" | "modern";
  readonly protocolVersion: string;
  readonly serverInfo: Record<string, unknown> | null;
  readonly capabilities: Record<string, unknown>;
  readonly instructions: string | null;
  /** What to pass as `prior` next time, free of anything private; null when nothing was learnt. */
  readonly prior: PriorDiscovery | null;
}
