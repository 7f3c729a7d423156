import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { authorise } from "./authorise.ts";
import { guard } from "./guard.ts";
import type { ScopedServer } from "./load.ts";
import { open } from "./open.ts";
import type { OpenServer } from "./open-server.ts";
import { type OperationContext, timed } from "./operation-context.ts";
import { redactError } from "./redact-error.ts";
import { type ResolvedServer, resolve } from "./resolve.ts";
import { requireUsable, type UsableServer } from "./select.ts";

/** A server that has passed every check and is ready for operations. */
export interface PreparedServer {
  readonly server: UsableServer;
  readonly resolved: ResolvedServer;
  readonly open: OpenServer;
}

/** The stages between choosing a server and running operations on it, in their order. */
export async function prepare(
  scoped: ScopedServer,
  inputs: Readonly<Record<string, string>>,
  context: OperationContext,
): Promise<PreparedServer> {
  const server = requireUsable(scoped);
  authorise(server, context);
  const resolved = await timed(context, "resolve", () => resolve(server, inputs, context));
  try {
    const target = guard(resolved, context);
    const opened = await timed(context, "open", () => open(target, resolved, context));
    return { server, resolved, open: opened };
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  }
}
