import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import {
  readWaitingAnswer,
  type WaitingAnswer,
} from "../../../shared/run-contract/waiting-call.ts";

/** What a run is to do. */
export type Plan =
  | { readonly kind: "operate"; readonly operation: McpOperation }
  | ({ readonly kind: "continue" } & WaitingAnswer)
  | { readonly kind: "end-session" };

/** Reads what a run is to do; an edge of the previous version continues calls as it does a modern server's. */
export function readPlan({ operation, protocol }: RunRequest): Plan {
  if (operation.method === "end-session") return { kind: "end-session" };
  if (operation.method === "continue") return { kind: "continue", ...operation.params };
  const answer = readWaitingAnswer(operation, protocol);
  return answer === null ? { kind: "operate", operation } : { kind: "continue", ...answer };
}
