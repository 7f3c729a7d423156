import type {
  Listing,
  OperationOptions,
  OperationResult,
  ToolDefinition,
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

/** A server of either kind, ready for the operations of one request. */
export interface OpenServer {
  listTools(options: OperationOptions): Promise<Listing<ToolDefinition>>;
  callTool(
    name: string,
    args: Record<string, unknown>,
    options: OperationOptions,
  ): Promise<OperationResult>;
  facts(): ServerFacts;
  /** Ends the session; never rejects. Run it after the answer. */
  close(): Promise<void>;
}
