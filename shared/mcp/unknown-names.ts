import { GatewayError } from "../errors/gateway-error.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** Error codes by which servers answer a request for a tool or prompt that they do not have. */
const unknownNameCodes: ReadonlySet<unknown> = new Set([-32601, -32602]);

/** The error may mean that there is no such tool or prompt; only the server's list can tell. */
export function mayMeanUnknownName(error: unknown): error is GatewayError {
  return error instanceof GatewayError && unknownNameCodes.has(error.details?.["rpc_code"]);
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
  const name = wholeOrLength(tool, 200);
  const text = `Tool '${name}' not found on server '${server}'.`;
  return new GatewayError("TOOL_NOT_FOUND", text, notFound({ tool: name }, cause));
}

export function promptNotFound(prompt: string, server: string, cause?: unknown): GatewayError {
  const name = wholeOrLength(prompt, 200);
  const text = `Prompt '${name}' not found on server '${server}'.`;
  return new GatewayError("PROMPT_NOT_FOUND", text, notFound({ prompt: name }, cause));
}

function notFound(facts: Readonly<Record<string, string>>, cause: unknown) {
  const told = cause instanceof GatewayError ? cause.details : {};
  return { details: { ...facts, ...told }, ...(cause === undefined ? {} : { cause }) };
}

/** The server wants arguments mirrored in headers and found them missing; nothing has run. */
export function isHeaderMismatch(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.details?.["rpc_code"] === -32020;
}
