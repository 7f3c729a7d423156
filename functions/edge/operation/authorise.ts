import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { requireScope } from "../middleware/require-scope.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";

/**
 * Whether the caller may use this server at all: running code needs `submit:stdio`, and a
 * production deployment runs no submitted server.
 * @throws GatewayError SCOPE_MISSING, SERVER_NOT_ALLOWED
 */
export function authorise(server: UsableServer, context: OperationContext): void {
  if (server.source !== "submitted") return;
  if (server.config.transport === "stdio") requireScope(context.caller, "submit:stdio");
  if (!context.deps.settings.development) {
    throw new GatewayError(
      "SERVER_NOT_ALLOWED",
      `Server '${server.name}' comes from a submitted config, and this deployment allows none.`,
      { server: server.name },
    );
  }
}
