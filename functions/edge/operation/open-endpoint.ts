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
  const [{ McpSession }, { operate }, openTransport] = await Promise.all([
    import("../../../shared/mcp/session.ts"),
    import("../../../shared/mcp/operate.ts"),
    loadTransport(endpoint.transport),
  ]);
  // The other transports are of the legacy era: there is nothing to find out.
  const negotiates = endpoint.transport === "http" && wish.kind !== "kept";
  const prior = negotiates ? eras.get(url.href) : undefined;
  const transports: RemoteTransport[] = [];
  const session = new McpSession({
    name: config.name,
    target: shownUrl(url),
    protocol: negotiates ? config.protocol : "legacy",
    connectTimeoutMs: config.timeout * 1000,
    ...(prior === undefined ? {} : { prior }),
    ...(config.config === undefined ? {} : { config: config.config }),
    ...(wish.kind === "kept" ? { resume: wish.session } : {}),
    fillsForms,
    onNotification: events.notification,
    onException: events.exception,
    openTransport: () => {
      const transport = openTransport({
        url: url.href,
        headers: endpoint.headers,
        guard: endpoint.guard,
        terminateOnClose: config.terminate_on_close,
        silenceMs: config.sse_read_timeout * 1000,
        listens: fillsForms,
        ...(wish.kind === "kept" ? { session: wish.session } : {}),
      });
      // The caller decides when a session of its own ends.
      if (wish.kind === "kept") transport.keepSession?.();
      transports.push(transport);
      return transport;
    },
  });

  const endpointSession = { session, transport: () => transports.at(-1) };

  return {
    async run(operation, options) {
      try {
        if (wish.kind === "new") await requireKeepable(endpointSession, options.signal);
        const result = await operate(session, operation, options);
        if (session.info !== null) eras.note(url.href, session.info);
        return result;
      } catch (error) {
        if (wish.kind === "kept") throw readKeptFailure(error, config.name);
        // A verdict that no longer fits must not fail the next request as well.
        if (negotiates && error instanceof GatewayError && misreadCodes.has(error.code)) {
          eras.forget(url.href);
        }
        throw error;
      }
    },
    facts: () => ({
      era: session.info?.era ?? null,
      protocolVersion: session.info?.protocolVersion ?? null,
      warm: false,
      upstreamRequests: transports.reduce((sum, { upstreamRequests }) => sum + upstreamRequests, 0),
      timingsMs: {},
    }),
    keep: () => (wish.kind === "own" ? null : keepSession(endpointSession)),
    close: () => session.disconnect(),
  };
}
