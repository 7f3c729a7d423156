import type { Finding } from "../../../shared/config/finding.ts";
import { isRuleId, ruleOf } from "../../../shared/config/rules.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import type { ErrorCode } from "../../../shared/errors/catalogue.ts";
import { suggest } from "../../../shared/config/server/suggest.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { ScopedServer } from "./load.ts";

/** A server whose entry has no errors. */
export interface UsableServer extends ScopedServer {
  readonly config: ServerConfig;
}

/**
 * The server that the request names, or the only one in scope.
 * @throws GatewayError SERVER_AMBIGUOUS, SERVER_NOT_FOUND
 */
export function select(servers: readonly ScopedServer[], name: string | undefined): ScopedServer {
  const names = servers.map((server) => server.name);
  if (name === undefined) {
    const [only, ...others] = servers;
    if (only !== undefined && others.length === 0) return only;
    throw servers.length === 0
      ? new GatewayError("SERVER_NOT_FOUND", "No server is in scope.", { details: { servers: [] } })
      : new GatewayError("SERVER_AMBIGUOUS", `${servers.length} servers are in scope: name one.`, {
          details: { servers: names },
        });
  }
  const named = servers.find((server) => server.name === name);
  if (named !== undefined) return named;
  throw serverNotFound(name, names);
}

function serverNotFound(name: string, names: readonly string[]): GatewayError {
  const meant = suggest(name, names);
  return new GatewayError("SERVER_NOT_FOUND", `No server '${name.slice(0, 128)}' is in scope.`, {
    details: { servers: names },
    ...(meant === null
      ? {}
      : { hint: `Did you mean '${meant}'? details.servers lists the names that are in scope.` }),
  });
}

/** A name that no server in scope has, and what to tell of it. */
export interface UnknownServer {
  readonly name: string;
  readonly error: GatewayError;
}

/**
 * The servers that the request names, and the names that are none's; each once.
 * @throws GatewayError SERVER_NOT_FOUND where none of the names is known
 */
export function selectSeveral(
  servers: readonly ScopedServer[],
  wanted: readonly string[],
): { readonly known: readonly ScopedServer[]; readonly unknown: readonly UnknownServer[] } {
  const names = servers.map(({ name }) => name);
  const once = [...new Set(wanted)];
  const known = once.flatMap((wantedName) => servers.find(({ name }) => name === wantedName) ?? []);
  const unknown = once
    .filter((name) => !names.includes(name))
    .map((name) => ({ name, error: serverNotFound(name, names) }));
  const [first] = unknown;
  if (known.length === 0 && first !== undefined) throw first.error;
  return { known, unknown };
}

/**
 * Refuses a server whose entry cannot be used, with the first reason as the message.
 * @throws GatewayError CONFIG_INVALID, TRANSPORT_FIELD_MISSING, COMMAND_NOT_ALLOWED
 */
export function requireUsable(server: ScopedServer): UsableServer {
  const { config, name } = server;
  if (config !== null && !server.disabled) return { ...server, config };
  const errors = server.findings.filter(({ id }) => isRuleId(id) && ruleOf(id).blocks);
  const [first] = errors;
  if (first === undefined) {
    throw new GatewayError("CONFIG_INVALID", `Server '${name}' is disabled in its config.`, {
      server: name,
      hint: "Remove the entry's `disabled` or `enabled` field to use the server.",
    });
  }
  throw new GatewayError(codeOf(first), first.message, {
    server: name,
    hint: first.hint,
    details: { findings: errors },
  });
}

/** The rule's own error code: some breaches have one. */
function codeOf({ id }: Finding): ErrorCode {
  return (isRuleId(id) ? ruleOf(id).code : undefined) ?? "CONFIG_INVALID";
}
