import type { Reference } from "../../../shared/config/references.ts";
import { destinationText } from "../../../shared/policy/destinations.ts";
import { grantedToLaunch, grantedToUrl } from "../../../shared/policy/secret-grants.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";

/**
 * Names of stored secrets that the server may have. A server that the operator wrote is its own
 * grant; a submitted one has what the tenant's `send_to` and `approved_launches` give it.
 * `given` are names that the request fills by itself.
 */
export function grantedNames(
  server: UsableServer,
  { references, given }: { references: readonly Reference[]; given: ReadonlySet<string> },
  { caller, deps }: OperationContext,
): ReadonlySet<string> {
  const { secrets, docker } = deps.settings.policyOf(caller.tenant);
  const asked = references.filter(({ name }) => !given.has(name));
  if (server.source !== "submitted" || secrets === null) {
    return new Set(asked.map(({ name }) => name));
  }
  if (server.config.transport === "stdio") {
    return grantedToLaunch(server.config, asked, given, { ...secrets, docker });
  }
  const url = urlOf(server);
  return url === null ? new Set() : grantedToUrl(url, asked, secrets);
}

/**
 * How an operator lets a submitted server have a stored secret. The same whether the name is
 * unknown or not allowed: whoever submits configs does not learn what is stored.
 */
export function grantHint(server: UsableServer, name: string): string {
  const url = urlOf(server);
  const allow =
    server.config.transport === "stdio" || url === null
      ? "list the whole launch under `approved_launches`"
      : `list \`${destinationText(url)}\` under \`send_to.${name}\``;
  return `Send the value in \`inputs\`; or have the operator store \`${name}\` for the tenant, and ${allow}.`;
}

function urlOf({ config: { url = "" } }: UsableServer): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
