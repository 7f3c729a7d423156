import type {
  ClientCapabilities,
  PriorDiscovery,
  RequestId,
  Transport,
} from "@modelcontextprotocol/client";
import type { Warning } from "../content/call-result.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { CacheHint } from "./cache-hint.ts";
import type { LogLevel } from "./log-levels.ts";
import type { OperationDeadline } from "./operation-deadline.ts";

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

/** What a turn is for: one request, or the requests of a handshake, one after the other. */
export type RequestTurn = "request" | "handshake";

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
  /** Goes on with a session of the legacy era that `openTransport`'s transport already carries. */
  readonly resume?: ResumedSession;
  /**
   * Forms of a server of the legacy era are filled in by their defaults, or cancelled; declared to
   * the server as a capability. The transport must hear what the server says outside of requests.
   */
  readonly fillsForms?: boolean;
  /** JSON-RPC id of the first request. Default: random, so that no two connections share ids. */
  readonly firstRequestId?: number;
  /**
   * Waits until requests may leave, before their time limit starts; what it returns is called when
   * they are answered. Default: at once.
   */
  readonly takeTurn?: (what: RequestTurn, signal: AbortSignal) => Promise<() => void>;
  /** Milliseconds for connecting and the handshake together. */
  readonly connectTimeoutMs: number;
  /** Pages of one list before it counts as endless. Default 1,000. */
  readonly maxListPages?: number;
  /**
   * Answers what a server of the legacy era asks of its client, and rejects with an error that has
   * a JSON-RPC `code` to refuse. The signal aborts when the server takes the question back.
   * Default: every question is refused as an unknown method.
   */
  readonly onQuestion?: (
    question: ServerQuestion,
    signal: AbortSignal,
  ) => Promise<Record<string, unknown>>;
  /** Server notifications as they come, progress excepted. */
  readonly onNotification?: (notification: SessionNotification) => void;
  /** Conditions outside any one operation: an unreadable message, a failed list refresh. */
  readonly onException?: (error: Error) => void;
}

/** What an earlier handshake told of a session that goes on. */
export interface ResumedSession {
  readonly protocolVersion: string;
  readonly capabilities: Record<string, unknown>;
}

/** A request of a server to its client: `elicitation/create`, `sampling/createMessage`, `roots/list`. */
export interface ServerQuestion {
  readonly method: string;
  readonly params: Record<string, unknown>;
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
  /** Least severe log records that the server is asked for; only one that can log is asked. */
  readonly logLevel?: LogLevel;
  /** Is handed the operation's time limit, which can be stopped while the server waits for an answer. */
  readonly onDeadline?: (deadline: OperationDeadline) => void;
  /**
   * What the caller can answer when the server asks for input: told with each request to servers of
   * revision 2026-07-28 alone.
   */
  readonly capabilities?: Record<string, unknown>;
  /**
   * The definition, from an earlier list, of the tool that is called: it spares asking for the list
   * where the server wants arguments in headers. It may be out of date.
   */
  readonly knownTool?: ToolDefinition;
}

/** What continues an operation whose server has asked for input (revision 2026-07-28). */
export interface Continuation {
  /** The caller's answers, by the keys of the server's requests. */
  readonly inputResponses?: Record<string, unknown> | undefined;
  /** The server's own state, exactly as it gave it. */
  readonly requestState?: string | undefined;
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

export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly annotations?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

export interface ResourceTemplateDefinition {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** All pages of one list; items that could not be read are told in `warnings`. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly warnings: readonly Warning[];
  /** How long the server lets the list be kept; absent where it does not say. */
  readonly cache?: CacheHint;
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
