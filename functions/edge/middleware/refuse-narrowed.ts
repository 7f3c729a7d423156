import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Caller } from "../context.ts";

/**
 * A key that is narrowed to servers brings none of its own: one could take a listed name.
 * @throws GatewayError SERVER_NOT_ALLOWED
 */
export function refuseNarrowed(caller: Caller): void {
  if (caller.servers === null) return;
  throw new GatewayError(
    "SERVER_NOT_ALLOWED",
    "The key is narrowed to configured servers: it may send no config.",
    {
      hint: "Call one of the key's servers by name, or ask the operator for another key.",
      details: { reason: "key-narrowed", servers: caller.servers },
    },
  );
}
