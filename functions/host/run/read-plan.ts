import type { JsonObject } from "../../../shared/mcp/json.ts";
import type { McpOperation } from "../../../shared/mcp/operation.ts";
import { type RunRequest, waitingStatePrefix } from "../../../shared/run-contract/contract.ts";

/** What a run is to do. */
export type Plan =
  | { readonly kind: "operate"; readonly operation: McpOperation }
  | { readonly kind: "continue"; readonly state: string; readonly responses: JsonObject }
  | { readonly kind: "end-session" };

/** Reads what a run is to do; an edge of the previous version continues calls as it does a modern server's. */
export function readPlan({ operation, protocol }: RunRequest): Plan {
  switch (operation.method) {
    case "end-session":
      return { kind: "end-session" };
    case "continue":
      return { kind: "continue", ...operation.params };
    case "tools/call":
    case "prompts/get":
    case "resources/read": {
      const { requestState: state, inputResponses: responses = {} } = operation.params;
      const waits = protocol !== "2026-07-28" && state?.startsWith(waitingStatePrefix) === true;
      return waits ? { kind: "continue", state, responses } : { kind: "operate", operation };
    }
    default:
      return { kind: "operate", operation };
  }
}
