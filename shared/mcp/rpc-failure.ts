import type { ErrorCode, Executed } from "../errors/catalogue.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { RpcError } from "./rpc-message.ts";

const invalidParams = -32602;
const unsupportedVersion = -32022;
/** Of `resources/read`, in the revisions before 2026-07-28. */
const resourceNotFound = -32002;

/**
 * JSON-RPC errors by which a server says that it did not get as far as running anything: parse
 * error, invalid request, unknown method, invalid params (JSON-RPC 2.0 §5.1), and of MCP
 * 2026-07-28 header mismatch, missing capability and unsupported version.
 */
const refusals: ReadonlySet<number> = new Set([
  -32700,
  -32600,
  -32601,
  invalidParams,
  -32020,
  -32021,
  unsupportedVersion,
]);

/** What to compare when a server refuses what was asked of it. */
const paramsHints: Readonly<Record<string, string>> = {
  "tools/call": "Compare the arguments with the tool's input_schema from /v1/tools/list.",
  "prompts/get": "Compare the arguments with those that /v1/prompts/list tells of the prompt.",
  "resources/read":
    "Compare the uri with /v1/resources/list, and with the templates of /v1/resources/templates/list.",
  "completion/complete":
    "Check that `ref` names a prompt or template of the server, and `argument` one of its arguments.",
};

/**
 * A server's JSON-RPC error as one of ours; its code, text and data are kept in `details`. Whole:
 * it is shortened when its secrets are masked.
 */
export function rpcFailure(error: RpcError, method: string, target: string): GatewayError {
  const text = error.message === "" ? "no message" : error.message;
  const code = codeOf(error.code, method);
  const hint = code === "INVALID_PARAMS" ? paramsHints[method] : undefined;
  return new GatewayError(code, `${target} answered ${method} with error ${error.code}: ${text}`, {
    ...(hint === undefined ? {} : { hint }),
    executed: executedOf(error.code),
    details: {
      rpc_code: error.code,
      rpc_message: error.message,
      ...(error.data === undefined ? {} : { rpc_data: error.data }),
    },
  });
}

function codeOf(rpcCode: number, method: string): ErrorCode {
  if (rpcCode === invalidParams) return "INVALID_PARAMS";
  if (rpcCode === resourceNotFound && method === "resources/read") return "RESOURCE_NOT_FOUND";
  return rpcCode === unsupportedVersion ? "VERSION_UNSUPPORTED" : "SERVER_ERROR";
}

function executedOf(rpcCode: number): Executed {
  return refusals.has(rpcCode) ? "no" : "maybe";
}
