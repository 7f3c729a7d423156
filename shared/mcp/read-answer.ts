import { GatewayError } from "../errors/gateway-error.ts";
import { rpcFailure } from "./rpc-failure.ts";
import type { RpcMessage } from "./rpc-message.ts";
import { readResult } from "./read-result.ts";
import type { OperationResult } from "./session-types.ts";

/** How one request ended. */
export type Answer =
  | { readonly ok: true; readonly value: OperationResult }
  | { readonly ok: false; readonly error: GatewayError };

export interface SentRequest {
  readonly method: string;
  /** Revision 2026-07-28 or later. */
  readonly modern: boolean;
  /** Who was asked, for messages. */
  readonly target: string;
}

/** The answer that a result or error message gives to a request. */
export function readAnswer(
  message: Extract<RpcMessage, { kind: "result" | "error" }>,
  request: SentRequest,
): Answer {
  if (message.kind === "error") {
    return { ok: false, error: rpcFailure(message.error, request.method, request.target) };
  }
  const read = readResult(request.method, message.result, request.modern);
  if (read.ok) return read;
  const text = `${request.target} answered ${request.method}, but ${read.reason}.`;
  // The answer is to this request: what it asked for has run.
  return { ok: false, error: new GatewayError("RESPONSE_INVALID", text, { executed: "yes" }) };
}
