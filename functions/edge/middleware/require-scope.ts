import type { Scope } from "../../../shared/api/scopes.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Caller } from "../context.ts";

/** @throws GatewayError SCOPE_MISSING, naming the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return;
  throw new GatewayError("SCOPE_MISSING", `The key lacks the scope '${scope}'.`, {
    details: { scope, key_id: caller.keyId },
  });
}
