import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { OperationOptions, ToolDefinition } from "../../../shared/mcp/session-types.ts";
import { sha256Hex } from "../../../shared/api/api-key.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { runOnHost, type RunResultEvent } from "../run-client.ts";
import { operatorFetch } from "../upstream/guarded-fetch.ts";
import type { HostedLaunch } from "./guard.ts";
import type { OpenServer, ServerFacts } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/** Longest times that the host may take before the operation itself, milliseconds. */
const installMs = 120_000;
const handshakeMs = 30_000;
/** Largest JSON-RPC frame that the host reads from a server, bytes. */
const frameBytes = 8 * 1024 * 1024;

/** A stdio server: every operation is one run on the host, whose pool holds the process. */
export async function openLaunch(
  target: HostedLaunch,
  resolved: ResolvedServer,
  context: OperationContext,
): Promise<OpenServer> {
  const { ticketKey } = context.deps.settings;
  if (ticketKey === null) {
    throw new GatewayError("NOT_READY", "GANGWAY_TICKET_KEY is not set: stdio servers cannot run.");
  }
  const poolKey = await makePoolKey(resolved, target, context);
  let facts: ServerFacts = {
    era: null,
    protocolVersion: null,
    warm: false,
    upstreamRequests: 0,
    timingsMs: {},
  };

  async function run(operation: RunRequest["operation"], options: OperationOptions): Promise<RunResultEvent> {
    const event = await runOnHost(
      runRequest({ target, resolved, context, poolKey, operation, options }),
      {
        host: target.host,
        ticketKey: ticketKey ?? {},
        fetch: operatorFetch(context.deps.fetch),
        clock: context.clock,
        signal: options.signal ?? context.signal,
      },
    );
    facts = {
      era: event.session.era,
      protocolVersion: event.session.protocol_version,
      warm: event.session.warm,
      upstreamRequests: 0,
      timingsMs: event.timings_ms,
    };
    return event;
  }

  return {
    async listTools(options) {
      const { result, warnings } = await run({ method: "tools/list" }, options);
      // The host lists through the same session code, which has set malformed tools aside.
      return { items: result["tools"] as readonly ToolDefinition[], warnings };
    },
    async callTool(name, args, options) {
      return run({ method: "tools/call", params: { name, arguments: args } }, options);
    },
    facts: () => facts,
    close: async () => undefined,
  };
}

interface RunParts {
  readonly target: HostedLaunch;
  readonly resolved: ResolvedServer;
  readonly context: OperationContext;
  readonly poolKey: string;
  readonly operation: RunRequest["operation"];
  readonly options: OperationOptions;
}

function runRequest(parts: RunParts): RunRequest {
  const { config } = parts.resolved;
  return {
    request_id: parts.context.requestId,
    tenant: parts.context.caller.tenant,
    pool_key: parts.poolKey,
    server: config.name,
    launch: parts.target.launch,
    protocol: config.protocol,
    log_level: null,
    operation: parts.operation,
    limits: {
      install_ms: installMs,
      handshake_ms: handshakeMs,
      call_ms: parts.options.timeoutMs,
      progress_extends_to_ms: parts.options.extendsToMs ?? parts.options.timeoutMs,
      result_bytes: frameBytes,
    },
  };
}

/**
 * Who may share a warm process: the tenant, one subject of it (unless the server is shared by the
 * tenant), one server entry of one source, one launch with its whole environment.
 */
function makePoolKey(
  { config, server }: ResolvedServer,
  { launch }: HostedLaunch,
  { caller, subject }: OperationContext,
): Promise<string> {
  const sharer = config.share === "tenant" ? null : subject;
  return sha256Hex(JSON.stringify([caller.tenant, sharer, server.source, config.name, launch]));
}
