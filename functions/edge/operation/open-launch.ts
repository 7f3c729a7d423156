import { sha256Hex } from "../../../shared/api/api-key.ts";
import { serverEventSchemas, type ServerEventName } from "../../../shared/api/stream-events.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { runOnHost, type RunNote } from "../run-client.ts";
import { runnerUrl } from "../settings.ts";
import { operatorFetch } from "../upstream/guarded-fetch.ts";
import type { HostedLaunch } from "./guard.ts";
import type { Opening } from "./open.ts";
import type { OpenServer, ServerFacts, ServerOptions } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";
import type { ServerEvents } from "./server-events.ts";

/** Longest times that the host may take before the operation itself, milliseconds. */
const installMs = 120_000;
const handshakeMs = 30_000;
/** Largest JSON-RPC frame that the host reads from a server, bytes. */
const frameBytes = 8 * 1024 * 1024;

/** A stdio server: every operation is one run on the host, whose pool holds the process. */
export async function openLaunch(
  target: HostedLaunch,
  { resolved, events, context }: Opening,
): Promise<OpenServer> {
  const { ticketKey, runner } = context.deps.settings;
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
  return {
    async run(operation, options) {
      const request = runRequest({ target, resolved, context, poolKey, operation, options });
      const running = runOnHost(request, {
        host: target.host,
        ticketKey,
        fetch: (target.host === runnerUrl ? runner : null) ?? operatorFetch(context.deps.fetch),
        clock: context.clock,
        signal: options.signal ?? context.signal,
        onNote: (note) => relay(note, events, options),
      });
      const event = await counted(running, context);
      countDropped(event.dropped ?? {}, events);
      facts = {
        era: event.session.era,
        protocolVersion: event.session.protocol_version,
        warm: event.session.warm,
        upstreamRequests: 0,
        timingsMs: event.timings_ms,
      };
      return event;
    },
    facts: () => facts,
    keep: () => null,
    close: async () => undefined,
  };
}

/** The time that the host works on a run is the tenant's, however the run ends. */
async function counted<Result>(
  running: Promise<Result>,
  { caller, clock, deps, afterAnswer }: OperationContext,
): Promise<Result> {
  const startedAt = clock();
  try {
    return await running;
  } finally {
    afterAnswer(deps.limits.charge(caller.tenant, clock() - startedAt));
  }
}

/** What the host tells while an operation goes on, as the events that a remote server would cause. */
function relay(note: RunNote, events: ServerEvents, options: OperationOptions): void {
  if (note.event === "sent") return options.onSent?.();
  if (note.event === "progress") {
    const { progress, total, message } = note;
    return options.onProgress?.({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }
  if (note.event === "notification") return events.notification(note);
  const { level, logger, data } = note;
  events.notification({ method: "notifications/message", params: { level, logger, data } });
}

function countDropped(dropped: Readonly<Record<string, number>>, events: ServerEvents): void {
  for (const [name, count] of Object.entries(dropped)) {
    if (isEventName(name)) events.countDropped(name, count);
  }
}

/** A host of another version may count further kinds. */
function isEventName(name: string): name is ServerEventName {
  return Object.hasOwn(serverEventSchemas, name);
}

interface RunParts {
  readonly target: HostedLaunch;
  readonly resolved: ResolvedServer;
  readonly context: OperationContext;
  readonly poolKey: string;
  readonly operation: McpOperation;
  readonly options: ServerOptions;
}

function runRequest(parts: RunParts): RunRequest {
  const { config, server } = parts.resolved;
  const { logLevel, capabilities, refresh } = parts.options;
  const { caller, deps } = parts.context;
  const { idle_seconds } = deps.settings.policyOf(caller.tenant).limits;
  return {
    request_id: parts.context.requestId,
    tenant: parts.context.caller.tenant,
    pool_key: parts.poolKey,
    server: config.name,
    source: server.source,
    ...(refresh === true ? { refresh } : {}),
    launch: parts.target.launch,
    protocol: config.protocol,
    log_level: logLevel ?? null,
    ...(capabilities === undefined ? {} : { client_capabilities: capabilities }),
    operation: parts.operation,
    limits: {
      install_ms: installMs,
      handshake_ms: handshakeMs,
      call_ms: parts.options.timeoutMs,
      progress_extends_to_ms: parts.options.extendsToMs ?? parts.options.timeoutMs,
      result_bytes: frameBytes,
      ...(idle_seconds === undefined ? {} : { idle_ms: idle_seconds * 1000 }),
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
