import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type { McpSession } from "../../../shared/mcp/session.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { shownUrl } from "../../../shared/mcp/shown-url.ts";
import { loadTransport, type RemoteTransport } from "../upstream/load-transport.ts";
import { keepSession, readKeptFailure, requireKeepable } from "./endpoint-session.ts";
import type { Endpoint } from "./guard.ts";
import type { Opening } from "./open.ts";
import type { OpenServer } from "./open-server.ts";

/** Failures that a server gives when it is spoken to in a revision that it does not have. */
const misreadCodes: ReadonlySet<string> = new Set([
  "RESPONSE_INVALID",
  "VERSION_UNSUPPORTED",
  "UPSTREAM_HTTP_ERROR",
]);

/** A remote server: one MCP session, opened for this request and ended after its answer. */
export async function openEndpoint(
  endpoint: Endpoint,
  { resolved: { config }, events, wish, fillsForms, context }: Opening,
): Promise<OpenServer> {
  const { url } = endpoint;
  const { eras } = context.deps;
  // The MCP client is most of the bundle: an isolate that only validates never evaluates it.
  const [{ McpSession: Session }, { operate }, openTransport] = await Promise.all([
    import("../../../shared/mcp/session.ts"),
    import("../../../shared/mcp/operate.ts"),
    loadTransport(endpoint.transport),
  ]);
  // The other transports are of the legacy era: there is nothing to find out.
  const negotiates = endpoint.transport === "http" && wish.kind !== "kept";
  const verdict = negotiates ? eras.get(url.href) : undefined;
  const transports: RemoteTransport[] = [];
  const openSession = (prior: typeof verdict) =>
    new Session({
      name: config.name,
      target: shownUrl(url),
      protocol: negotiates ? config.protocol : "legacy",
      connectTimeoutMs: config.timeout * 1000,
      ...(prior === undefined ? {} : { prior }),
      ...(config.config === undefined ? {} : { config: config.config }),
      ...(wish.kind === "kept" ? { resume: wish.session } : {}),
      fillsForms,
      takeTurn: turnsOf(endpoint),
      onNotification: events.notification,
      onException: events.exception,
      openTransport: () => {
        const transport = openTransport({
          url: url.href,
          headers: endpoint.headers,
          guard: endpoint.guard,
          terminateOnClose: config.terminate_on_close,
          silenceMs: config.sse_read_timeout * 1000,
          // Some servers tell of a call outside of its answer; only a stream has a reader for it.
          listens: fillsForms || context.tell !== null,
          ...(wish.kind === "kept" ? { session: wish.session } : {}),
        });
        // The caller decides when a session of its own ends.
        if (wish.kind === "kept") transport.keepSession?.();
        transports.push(transport);
        return transport;
      },
    });

  let session = openSession(verdict);
  const endpointSession = () => ({ session, transport: () => transports.at(-1) });

  async function attempt(operation: McpOperation, options: OperationOptions) {
    const used = session;
    if (wish.kind === "new") await requireKeepable(endpointSession(), options.signal);
    const result = await operate(used, operation, options);
    if (used.info !== null) eras.note(url.href, used.info);
    return result;
  }

  /** A new session in the place of one that the server forgot, or whose verdict was out of date. */
  async function renew(stale: McpSession): Promise<void> {
    if (session !== stale) return;
    session = openSession(negotiates ? eras.get(url.href) : undefined);
    await stale.disconnect();
  }

  return {
    async run(operation, options) {
      const used = session;
      try {
        return await attempt(operation, options);
      } catch (error) {
        if (wish.kind === "kept") throw readKeptFailure(error, config.name);
        if (!negotiates || !(error instanceof GatewayError) || !misreadCodes.has(error.code)) {
          throw error;
        }
        // A verdict that no longer fits must not fail the next request as well.
        if (!isLostSession(error, used)) eras.forget(url.href);
        const another = verdict?.kind === "modern" || isLostSession(error, used);
        // Once more, and only where the server turned the request away unread.
        if (!another || error.executed !== "no") throw error;
        await renew(used);
        return attempt(operation, options);
      }
    },
    facts: () => ({
      era: session.info?.era ?? null,
      protocolVersion: session.info?.protocolVersion ?? null,
      warm: false,
      upstreamRequests: transports.reduce((sum, { upstreamRequests }) => sum + upstreamRequests, 0),
      timingsMs: {},
    }),
    keep: () => (wish.kind === "own" ? null : keepSession(endpointSession())),
    close: () => session.disconnect(),
  };
}

/** The server has forgotten the session that this request opened: it says so by HTTP 404. */
function isLostSession({ details }: GatewayError, { info }: McpSession): boolean {
  return details?.["status"] === 404 && info?.era === "legacy";
}

/** A request on a WebSocket that is open is no connection that waits for headers. */
function turnsOf({ transport, guard: { turns } }: Endpoint): typeof turns.take {
  if (transport !== "websocket") return turns.take;
  return async (what, signal) =>
    what === "handshake" ? turns.take(what, signal) : () => undefined;
}
