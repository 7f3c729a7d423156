import { GatewayError } from "../errors/gateway-error.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** Error codes by which servers answer a call of a tool that they do not have. */
const unknownToolCodes: ReadonlySet<unknown> = new Set([-32601, -32602]);

/** The error may mean that there is no such tool; only the server's list can tell. */
export function mayMeanUnknownTool(error: unknown): error is GatewayError {
  return error instanceof GatewayError && unknownToolCodes.has(error.details?.["rpc_code"]);
}

/**
 * The result may be a server's way to say that there is no such tool: a failure in one text that
 * names it. Only the server's list can tell it from a failure of the tool.
 */
export function mayTellUnknownTool(result: JsonObject, tool: string): boolean {
  const content = result["content"];
  if (result["isError"] !== true || result["structuredContent"] !== undefined) return false;
  if (!Array.isArray(content) || content.length !== 1) return false;
  const block: unknown = content[0];
  return isJsonObject(block) && typeof block["text"] === "string" && block["text"].includes(tool);
}

export function toolNotFound(tool: string, server: string, cause?: unknown): GatewayError {
  const name = tool.slice(0, 200);
  const told = cause instanceof GatewayError ? cause.details : {};
  return new GatewayError("TOOL_NOT_FOUND", `Tool '${name}' not found on server '${server}'.`, {
    details: { tool: name, ...told },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The server wants arguments mirrored in headers and found them missing; nothing has run. */
export function isHeaderMismatch(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.details?.["rpc_code"] === -32020;
}

/** Input schemas that ask for arguments in headers (`x-mcp-header`, revision 2026-07-28). */
export function wantsHeaders(inputSchema: JsonObject): boolean {
  return JSON.stringify(inputSchema).includes('"x-mcp-header"');
}
