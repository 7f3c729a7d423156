import type { ErrorCode, Executed } from "../../../shared/errors/catalogue.ts";

/**
 * What is kept of one operation: who did what where, and how it ended. Never arguments, results,
 * values of secrets, or what a server wrote. snake_case, as it is written.
 */
export interface AuditLine {
  readonly event: "call";
  /** ISO 8601. */
  readonly ts: string;
  readonly request_id: string;
  readonly tenant: string;
  /** Of the API key or the token's issuer. */
  readonly key_id: string;
  /** 16 hex digits of SHA-256 over tenant and subject: tells subjects apart, not who they are. */
  readonly subject_hash: string;
  readonly source: "deployment" | "tenant" | "submitted" | null;
  /** 16 hex digits of SHA-256 over the server's entry, references unexpanded. */
  readonly config_hash: string | null;
  readonly server: string | null;
  /** Origin of a remote server; `npm:name@version` and its kin of a launch. */
  readonly destination: string | null;
  /** MCP method. */
  readonly method: string;
  /** Name of tool or prompt as the caller wrote it. */
  readonly tool: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly upstream_requests: number;
  /** Names of the stored secrets that were used. */
  readonly secrets: readonly string[];
  /** Secret values that were masked in the result. */
  readonly masked: number;
  readonly status: "ok" | "tool_error" | "input_required" | "error";
  readonly error_code: ErrorCode | null;
  readonly executed: Executed;
  /** Of the answer, as JSON. */
  readonly bytes: number;
  /** Milliseconds, whole and by stage. */
  readonly ms: Readonly<Record<string, number>>;
  readonly warm: boolean;
  /** Milliseconds that a stdio server worked. */
  readonly container_ms: number;
}

export type AuditSink = (line: AuditLine) => void;

/** One line of JSON in the Worker's log. */
export function logSink(write: (text: string) => void): AuditSink {
  return (line) => write(JSON.stringify(line));
}
