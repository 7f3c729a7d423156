import { findReferences } from "../../../shared/config/references.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { destinationText } from "../../../shared/policy/destinations.ts";
import { grantedToUrl } from "../../../shared/policy/secret-grants.ts";
import { originRevoked } from "../../../shared/policy/revocations.ts";
import { requireRevocations } from "../middleware/auth.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/** Refuses a URL that the server's headers may not be sent to. @throws GatewayError */
export type EndpointWall = (url: URL) => void;

/**
 * Stands before every request to a server, those included whose URL the server itself named: the
 * origin is the configured one and not revoked, and each stored secret that is sent along may go
 * to this very place.
 * @throws GatewayError URL_NOT_ALLOWED, SECRET_DESTINATION_NOT_ALLOWED, NOT_READY
 */
export function endpointWall(
  endpoint: URL,
  { server, stored }: ResolvedServer,
  { caller, deps }: OperationContext,
): EndpointWall {
  const { secrets } = deps.settings.policyOf(caller.tenant);
  const rules = server.source === "submitted" ? secrets : null;
  const all = findReferences(server.config, "").filter(({ name }) => stored.values.has(name));
  // What stands in the query is in the first URL alone; headers and config go with every request.
  const further = all.filter(({ place }) => place !== "url");
  return (url) => {
    if (originRevoked(url, requireRevocations(deps.revocations()))) throw revoked(url, server.name);
    if (hostOf(url) !== hostOf(endpoint)) throw elsewhere(url, server.name, []);
    if (rules === null) return;
    const sent = url.href === endpoint.href ? all : further;
    const granted = grantedToUrl(url, sent, rules);
    const names = sent.map(({ name }) => name).filter((name) => !granted.has(name));
    if (names.length > 0) throw elsewhere(url, server.name, [...new Set(names)]);
  };
}

/** Origins of a WebSocket and of its https kin are the same. */
function hostOf(url: URL): string {
  return url.origin.replace(/^ws/, "http");
}

function revoked(url: URL, server: string): GatewayError {
  return new GatewayError("URL_NOT_ALLOWED", `The origin ${url.origin} is taken out of use.`, {
    server,
    hint: "Ask the operator: GANGWAY_REVOKED holds it.",
    details: { reason: "origin-revoked" },
  });
}

function elsewhere(url: URL, server: string, names: readonly string[]): GatewayError {
  const destination = destinationText(url);
  const what = names.length === 0 ? "its headers" : names.map((name) => `'${name}'`).join(", ");
  return new GatewayError(
    "SECRET_DESTINATION_NOT_ALLOWED",
    `Server '${server}' leads to ${destination}, where ${what} may not be sent.`,
    {
      server,
      hint:
        names.length === 0
          ? "Write the URL that takes the requests into the config."
          : `The operator allows it by \`${destination}\` under ${names.map((name) => `\`send_to.${name}\``).join(", ")}.`,
      details: { reason: "destination-not-listed", destination, references: names },
    },
  );
}
