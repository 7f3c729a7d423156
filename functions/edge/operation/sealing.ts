import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { SealContext } from "../../../shared/seal/seal.ts";
import { readSealKeys, type SealKeys } from "../../../shared/seal/seal-keys.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";
import { serverIdentity } from "./server-identity.ts";

/**
 * The keys of sealed values. Only requests that need them fail where there are none.
 * @param otherwise what cannot be done without them, for the message
 * @throws GatewayError NOT_READY
 */
export async function requireSealKeys(
  { deps }: Pick<OperationContext, "deps">,
  otherwise: string,
): Promise<SealKeys> {
  const { sealKeys } = deps.settings;
  // Importing costs less than keeping a promise that several requests would share.
  const keys = sealKeys === null ? null : await readSealKeys(sealKeys);
  if (keys !== null) return keys;
  throw new GatewayError("NOT_READY", `GANGWAY_SEAL_KEYS is not set: ${otherwise}.`, {
    hint: "The operator must set GANGWAY_SEAL_KEYS to `id:key`, the key 32 random bytes in base64url; GET /ready tells whether it is right.",
    permanent: true,
  });
}

/** What a value is sealed for: this caller, its subject and this server alone. */
export async function sealContext(
  purpose: SealContext["purpose"],
  server: UsableServer,
  { caller, subject }: OperationContext,
): Promise<SealContext> {
  const { tenant, keyId } = caller;
  return { purpose, tenant, subject, keyId, server: await serverIdentity(server) };
}
