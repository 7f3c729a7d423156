import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { loadTransport, type RemoteTransport } from "../upstream/load-transport.ts";
import type { Endpoint } from "./guard.ts";
import type { OpenServer } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/** Failures that a server gives when it is spoken to in a revision that it does not have. */
const misreadCodes: ReadonlySet<string> = new Set([
  "RESPONSE_INVALID",
  "VERSION_UNSUPPORTED",
  "UPSTREAM_HTTP_ERROR",
]);

/** A remote server: one MCP session, opened for this request and ended after its answer. */
export async function openEndpoint(
  endpoint: Endpoint,
  { config }: ResolvedServer,
  context: OperationContext,
): Promise<OpenServer> {
  const { url } = endpoint;
  const { eras, fetch, settings } = context.deps;
  // The MCP client is most of the bundle: an isolate that only validates never evaluates it.
  const [{ McpSession }, openTransport] = await Promise.all([
    import("../../../shared/mcp/session.ts"),
    loadTransport(endpoint.transport),
  ]);
  // The other transports are of the legacy era: there is nothing to find out.
  const negotiates = endpoint.transport === "http";
  const prior = negotiates ? eras.get(url.href) : undefined;
  const transports: RemoteTransport[] = [];
  const session = new McpSession({
    name: config.name,
    target: url.origin,
    protocol: negotiates ? config.protocol : "legacy",
    connectTimeoutMs: config.timeout * 1000,
    ...(prior === undefined ? {} : { prior }),
    ...(config.config === undefined ? {} : { config: config.config }),
    openTransport: () => {
      const transport = openTransport({
        url: url.href,
        headers: endpoint.headers,
        guard: { fetch, development: settings.development },
        terminateOnClose: config.terminate_on_close,
        silenceMs: config.sse_read_timeout * 1000,
      });
      transports.push(transport);
      return transport;
    },
  });

  /** A verdict that no longer fits must not fail the next request as well. */
  async function run<Result>(operation: () => Promise<Result>): Promise<Result> {
    try {
      const result = await operation();
      if (session.info !== null) eras.note(url.href, session.info);
      return result;
    } catch (error) {
      if (negotiates && error instanceof GatewayError && misreadCodes.has(error.code)) {
        eras.forget(url.href);
      }
      throw error;
    }
  }

  return {
    listTools: (options) => run(() => session.listTools(options)),
    callTool: (name, args, options) => run(() => session.callTool(name, args, options)),
    facts: () => ({
      era: session.info?.era ?? null,
      protocolVersion: session.info?.protocolVersion ?? null,
      warm: false,
      upstreamRequests: transports.reduce((sum, { upstreamRequests }) => sum + upstreamRequests, 0),
      timingsMs: {},
    }),
    close: () => session.disconnect(),
  };
}
