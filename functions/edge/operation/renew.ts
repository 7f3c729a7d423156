import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { OperationContext } from "./operation-context.ts";
import { type PreparedServer, prepare, type ServerUse } from "./prepare.ts";
import type { StoredValues } from "./resolve.ts";

/** Whether the server refused stored secrets, before anything ran: they may have been rotated. */
export function mayBeRotated(error: unknown, { resolved }: PreparedServer): boolean {
  return (
    error instanceof GatewayError &&
    error.code === "UPSTREAM_UNAUTHORIZED" &&
    error.executed === "no" &&
    resolved.stored.values.size > 0
  );
}

/** The server prepared anew with the values that the store has by now; null where they are the same. */
export async function renew(
  { server, resolved }: PreparedServer,
  use: ServerUse,
  context: OperationContext,
): Promise<PreparedServer | null> {
  return (await isRotated(resolved.stored, context)) ? prepare(server, use, context) : null;
}

async function isRotated(stored: StoredValues, context: OperationContext): Promise<boolean> {
  const names = [...stored.values.keys()];
  try {
    const values = await context.deps.secrets.refresh(stored.namespace, names, context.signal);
    return names.some((name) => values.get(name) !== stored.values.get(name));
  } catch {
    return false; // the refusal stays the answer: it is what the store could not mend
  }
}
