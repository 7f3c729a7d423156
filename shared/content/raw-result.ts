import { GatewayError } from "../errors/gateway-error.ts";
import { isJsonObject } from "../mcp/json.ts";
import { isNestedDeeper, maxNesting } from "./nesting.ts";

/** A server's result as it came. Secrets must be masked in it before it is converted. */
export type RawResult = Readonly<Record<string, unknown>>;

/**
 * Refuses what cannot be written as JSON again.
 * @param what the result in words, `of tool 'x' of server 's'`
 * @throws GatewayError RESPONSE_INVALID
 */
export function refuseBottomless(raw: RawResult, what: string, server: string): void {
  if (!isNestedDeeper(raw, maxNesting)) return;
  const text = `The result ${what} is nested more than ${maxNesting} levels deep.`;
  throw new GatewayError("RESPONSE_INVALID", text, { server, executed: "yes" });
}

/** The result's `_meta`, unless it is empty or no object. */
export function metaOf({ _meta }: RawResult): { meta?: Readonly<Record<string, unknown>> } {
  return isJsonObject(_meta) && Object.keys(_meta).length > 0 ? { meta: _meta } : {};
}

/** The server wants input before it goes on (MCP 2026-07-28, "Multi round-trip requests"). */
export function isInputRequired({ resultType }: RawResult): boolean {
  return resultType === "input_required";
}

/**
 * The outcome that says so. `request_state` is the server's own: seal it before it leaves, where
 * sealing is wanted.
 */
export function inputRequired({ inputRequests, requestState }: RawResult) {
  return {
    success: false,
    status: "input_required",
    ...(isJsonObject(inputRequests) ? { input_requests: inputRequests } : {}),
    ...(typeof requestState === "string" ? { request_state: requestState } : {}),
  } as const;
}
