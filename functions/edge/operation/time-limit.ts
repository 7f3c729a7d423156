import type { Warning } from "../../../shared/content/call-result.ts";
import type { UsableServer } from "./select.ts";

export interface TimeLimit {
  readonly timeoutMs: number;
  /** Progress starts `timeoutMs` anew, up to this total. */
  readonly extendsToMs: number;
  readonly warnings: readonly Warning[];
}

/**
 * How long an operation may take: what the request says, else what the server's config says, and
 * never more than the deployment allows.
 */
export function timeLimit(
  { config }: UsableServer,
  timeoutS: number | undefined,
  maxOperationMs: number,
): TimeLimit {
  // The contract with the host knows whole milliseconds only.
  const wantedMs = Math.max(1, Math.round((timeoutS ?? config.request_timeout) * 1000));
  const timeoutMs = Math.min(wantedMs, maxOperationMs);
  const message = `The time limit of ${wantedMs} ms is cut to ${maxOperationMs} ms, the deployment's longest.`;
  return {
    timeoutMs,
    extendsToMs: maxOperationMs,
    warnings: wantedMs > maxOperationMs ? [{ code: "TIMEOUT_CUT", message }] : [],
  };
}
