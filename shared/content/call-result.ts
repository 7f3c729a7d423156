import type { ErrorBody } from "../errors/error-body.ts";

interface BlockExtras {
  /** The block's MCP annotations, unchanged. */
  readonly annotations?: Record<string, unknown>;
  /** The block's `_meta`, unchanged. */
  readonly meta?: Record<string, unknown>;
}

export interface TextBlock extends BlockExtras {
  readonly type: "text";
  readonly text: string;
  /** Set when the server's block was unknown or malformed: `text` is its JSON. */
  readonly unrecognized?: true;
}

export interface MediaBlock extends BlockExtras {
  readonly type: "image" | "audio";
  /** Base64, as the server sent it. */
  readonly data: string;
  readonly mime_type: string;
}

/** An embedded resource (`data` and, for text resources, `text`) or a resource link (`data` null). */
export interface BinaryBlock extends BlockExtras {
  readonly type: "binary";
  readonly uri: string | null;
  readonly mime_type: string | null;
  /** Base64. */
  readonly data: string | null;
  readonly text?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Bytes. */
  readonly size?: number;
}

export type ContentBlock = TextBlock | MediaBlock | BinaryBlock;

/** What was shortened to keep a result under its size limit. Sizes in bytes of UTF-8 or base64 text. */
export interface Truncation {
  /** JSON Pointer into the result. */
  readonly pointer: string;
  readonly original_bytes: number;
  readonly kept_bytes: number;
}

/** Something lost or repaired on the way that did not fail the operation. */
export interface Warning {
  /** Stable name of the kind, `BLOCK_UNRECOGNIZED`. */
  readonly code: string;
  readonly message: string;
}

export interface CallMetadata {
  readonly request_id: string;
  readonly server: string;
  readonly tool: string;
  readonly source: "deployment" | "tenant" | "submitted";
  readonly transport: "stdio" | "sse" | "websocket" | "http";
  readonly protocol_version: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly duration_ms: number;
  /** Milliseconds by stage. */
  readonly timings_ms: Record<string, number>;
  /** HTTP requests sent to a remote server (0 for stdio). */
  readonly upstream_requests: number;
  /** The call was served by a process that already ran. */
  readonly warm: boolean;
  readonly session: string | null;
  /** How many secret values were masked in the result. */
  readonly masked: number;
  readonly truncated: readonly Truncation[];
  readonly warnings: readonly Warning[];
}

/** The answer to one tool call that reached the tool: HTTP 200 for every status. */
export interface CallResult {
  readonly success: boolean;
  readonly status: "ok" | "tool_error" | "input_required";
  readonly content: readonly ContentBlock[];
  readonly structured_content?: unknown;
  readonly error?: ErrorBody;
  readonly metadata: CallMetadata;
}
