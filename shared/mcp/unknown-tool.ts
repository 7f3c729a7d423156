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

export function toolNotFound(tool: string, server: string, cause?: GatewayError): GatewayError {
  return new GatewayError(
    "TOOL_NOT_FOUND",
    `Tool '${tool.slice(0, 200)}' not found on server '${server}'.`,
    {
      details: { tool: tool.slice(0, 200), ...cause?.details },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
