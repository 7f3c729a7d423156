import type { Finding } from "../../../shared/config/finding.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import type { ErrorCode } from "../../../shared/errors/catalogue.ts";
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
  throw new GatewayError("SERVER_NOT_FOUND", `No server '${name.slice(0, 128)}' is in scope.`, {
    details: { servers: names },
  });
}

/**
 * Refuses a server whose entry has errors, with the first of them as the message.
 * @throws GatewayError CONFIG_INVALID, TRANSPORT_FIELD_MISSING, COMMAND_NOT_ALLOWED
 */
export function requireUsable(server: ScopedServer): UsableServer {
  const { config, name } = server;
  if (config !== null && !server.disabled) return { ...server, config };
  const errors = server.findings.filter(({ severity }) => severity === "error");
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

/** Rules whose breach has an error code of its own. */
const codesByRule: Readonly<Record<string, ErrorCode>> = {};

function codeOf(finding: Finding): ErrorCode {
  return codesByRule[finding.id] ?? "CONFIG_INVALID";
}
