import { lookUpName } from "./look-up-name.ts";
import type { OperationDeadline } from "./operation-deadline.ts";
import type {
  Listing,
  OperationOptions,
  OperationResult,
  ToolDefinition,
} from "./session-types.ts";
import {
  isHeaderMismatch,
  mayMeanUnknownName,
  mayTellUnknownTool,
  toolNotFound,
} from "./unknown-names.ts";

export interface ToolCall {
  readonly name: string;
  /** The server's name, for messages. */
  readonly server: string;
  /** The tool's definition, where it was listed before. */
  readonly listed: ToolDefinition | undefined;
  /** Sends the call; with the definition where it is known. */
  readonly send: (tool: ToolDefinition | undefined) => Promise<OperationResult>;
  readonly list: (options: OperationOptions) => Promise<Listing<ToolDefinition>>;
  readonly deadline: OperationDeadline;
}

/**
 * Calls a tool once, unless the server turned the call away before running anything because it
 * wants arguments in headers that only its list tells. Whether a tool is missing is decided by
 * the server's list, never by the text of its answer.
 * @throws GatewayError TOOL_NOT_FOUND, and what `send` throws
 */
export async function callTool(call: ToolCall): Promise<OperationResult> {
  const { name, server, listed } = call;
  try {
    const answer = await call.send(listed);
    if (listed !== undefined || !mayTellUnknownTool(answer.result, name)) return answer;
    if ((await lookUpName(call)) !== "absent") return answer;
  } catch (error) {
    const mayBeAbsent = listed === undefined && mayMeanUnknownName(error);
    const found = mayBeAbsent || isHeaderMismatch(error) ? await lookUpName(call) : "unknown";
    if (found === "absent") throw toolNotFound(name, server, error);
    if (!isHeaderMismatch(error) || found === "unknown") throw error;
    return call.send(found);
  }
  throw toolNotFound(name, server);
}
