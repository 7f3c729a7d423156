import { findReferences, type Reference } from "../../../shared/config/references.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { grantedToLaunch } from "../../../shared/policy/secret-grants.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/**
 * Asks again, of the values that a submitted launch really has, whether its whole launch is
 * approved: stored secrets go to no other.
 * @throws GatewayError SECRET_DESTINATION_NOT_ALLOWED
 */
export function requireLaunchGranted(
  { server, stored }: ResolvedServer,
  { caller, deps }: OperationContext,
): void {
  const { secrets, docker } = deps.settings.policyOf(caller.tenant);
  if (server.source !== "submitted" || secrets === null) return;
  const references = findReferences(server.config, "");
  const isStored = ({ name }: Reference): boolean => stored.values.has(name);
  const given = references.filter((reference) => !isStored(reference)).map(({ name }) => name);
  const rules = { ...secrets, docker };
  const granted = grantedToLaunch(server.config, references, new Set(given), rules);
  const carried = references.filter(isStored).map(({ name }) => name);
  const names = [...new Set(carried)].filter((name) => !granted.has(name));
  if (names.length === 0) return;
  throw new GatewayError(
    "SECRET_DESTINATION_NOT_ALLOWED",
    `The launch of server '${server.name}' is not approved, and may not have ${names.map((name) => `'${name}'`).join(", ")}.`,
    {
      server: server.name,
      hint: "The operator allows it by the whole launch under `approved_launches`.",
      details: { reason: "launch-not-approved", references: names },
    },
  );
}
