import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { McpSession } from "../../../shared/mcp/session.ts";
import { untilAborted } from "../../../shared/mcp/until-aborted.ts";
import type { RemoteTransport } from "../upstream/load-transport.ts";
import type { KeptSession } from "./open-server.ts";

/** A remote server's MCP session, and the transport that carries it by now. */
export interface EndpointSession {
  readonly session: McpSession;
  readonly transport: () => RemoteTransport | undefined;
}

/**
 * Connects, and refuses a server whose session no later request could continue, before anything
 * has run.
 * @throws GatewayError SESSION_UNSUPPORTED, CANCELLED, and what connecting throws
 */
export async function requireKeepable(
  { session, transport }: EndpointSession,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { era, protocolVersion } = await untilAborted(session.connect(), signal);
  if (era === "modern") {
    throw unsupported(session.name, "stateless", `revision ${protocolVersion} has no sessions`);
  }
  if (transport()?.sessionId === undefined) {
    throw unsupported(session.name, "no_session_id", "it gave its session no id");
  }
}

/** The session for a handle; from now on closing leaves it at the server. Null without an id. */
export function keepSession({ session, transport }: EndpointSession): KeptSession | null {
  const id = transport()?.sessionId;
  const { info } = session;
  if (id === undefined || info === null) return null;
  transport()?.keepSession?.();
  const capabilities = "logging" in info.capabilities ? { logging: {} } : {};
  return { id, protocolVersion: info.protocolVersion, capabilities };
}

/**
 * What an error on a kept session means: the server has forgotten the session where it answers
 * 404, or 400 as some do. Nothing has run then.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function readKeptFailure(error: unknown, server: string): unknown {
  if (!(error instanceof GatewayError) || error.code !== "UPSTREAM_HTTP_ERROR") return error;
  const status = error.details?.["status"];
  if (status !== 404 && status !== 400) return error;
  const text = `Server '${server}' no longer knows the session (HTTP ${status}).`;
  return new GatewayError("SESSION_EXPIRED", text, { server, cause: error, details: { status } });
}

function unsupported(server: string, reason: string, why: string): GatewayError {
  const text = `Server '${server}' keeps no session: ${why}.`;
  return new GatewayError("SESSION_UNSUPPORTED", text, { server, details: { reason } });
}
