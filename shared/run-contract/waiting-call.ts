import type { McpOperation } from "../mcp/operation.ts";
import { type RunRequest, waitingStatePrefix } from "./contract.ts";

/** What goes on with a call that waits in its process. */
export interface WaitingAnswer {
  readonly state: string;
  readonly responses: Record<string, unknown>;
}

/**
 * Reads what goes on with a waiting call from an operation that continues a server's questions as
 * MCP does; null for any other operation, the states of modern servers above all.
 */
export function readWaitingAnswer(
  operation: McpOperation,
  protocol: RunRequest["protocol"],
): WaitingAnswer | null {
  if (protocol === "2026-07-28") return null;
  switch (operation.method) {
    case "tools/call":
    case "prompts/get":
    case "resources/read": {
      const { requestState: state, inputResponses: responses = {} } = operation.params;
      return state?.startsWith(waitingStatePrefix) === true ? { state, responses } : null;
    }
    default:
      return null;
  }
}
