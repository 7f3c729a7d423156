import { requireScope } from "../middleware/require-scope.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";
import { requireSubmittedAllowed } from "./submitted-policy.ts";

/**
 * Whether the caller may use this server at all: running code needs `submit:stdio`, and what a
 * submitted config names must be within the tenant's policy.
 * @throws GatewayError SCOPE_MISSING, SERVER_NOT_ALLOWED, LAUNCH_NOT_ALLOWED
 */
export function authorise(server: UsableServer, context: OperationContext): void {
  if (server.source !== "submitted") return;
  if (server.config.transport === "stdio") requireScope(context.caller, "submit:stdio");
  requireSubmittedAllowed(server, context);
}
