import { toolAllowed } from "../../../shared/catalogue/allowed.ts";
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

/**
 * Whether the server's config lets this tool be called: the set that is called is the set that
 * is listed.
 * @throws GatewayError TOOL_NOT_ALLOWED, naming the field that excludes it
 */
export function authoriseTool(server: UsableServer, originalName: string): void {
  const allowed = toolAllowed(server.config, originalName);
  if (allowed.ok) return;
  throw new GatewayError(
    "TOOL_NOT_ALLOWED",
    `Tool '${originalName}' is excluded by '${allowed.field}' of server '${server.name}'.`,
    { server: server.name, details: { field: allowed.field } },
  );
}
