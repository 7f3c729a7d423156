import { sha256Hex } from "../../../shared/api/api-key.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { McpOperation } from "../../../shared/mcp/operation.ts";
import type { RunRequest, RunSession } from "../../../shared/run-contract/contract.ts";
import { readWaitingAnswer } from "../../../shared/run-contract/waiting-call.ts";
import { runOnHost, type RunNote, type RunResultEvent } from "../run-client.ts";
import { runnerUrl } from "../settings.ts";
import { operatorFetch } from "../upstream/guarded-fetch.ts";
import type { HostedLaunch } from "./guard.ts";
import type { ServerOptions } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/** Ending a session does not take longer, milliseconds. */
const endMs = 10_000;
/** Longest times that the host may take before the operation itself, milliseconds. */
const installMs = 120_000;
const handshakeMs = 30_000;
/** Largest JSON-RPC frame that the host reads from a server, bytes. */
const frameBytes = 8 * 1024 * 1024;
/** How long a session's process may stay unused where the tenant's limits do not say, seconds. */
const sessionIdleS = 300;

/** Runs one request on the host; it is cancelled when the signal aborts. */
export type AskHost = (
  request: RunRequest,
  signal: AbortSignal | undefined,
  onNote: (note: RunNote) => void,
) => Promise<RunResultEvent>;

/** @throws GatewayError NOT_READY */
export function hostOf({ host }: HostedLaunch, context: OperationContext): AskHost {
  const { deps, clock } = context;
  const { ticketKey, runner } = deps.settings;
  if (ticketKey === null) {
    throw new GatewayError("NOT_READY", "GANGWAY_TICKET_KEY is not set: stdio servers cannot run.");
  }
  const fetch = (host === runnerUrl ? runner : null) ?? operatorFetch(deps.fetch);
  return (request, signal = context.signal, onNote) =>
    runOnHost(request, { host, ticketKey, fetch, clock, signal, onNote });
}

/** Whose a run is, and what it runs. */
export interface RunParts {
  readonly target: HostedLaunch;
  readonly resolved: ResolvedServer;
  readonly context: OperationContext;
  /**
   * Who may share a warm process: the tenant, one subject of it (unless the server is shared by the
   * tenant), one server entry of one source, one launch with its whole environment.
   */
  readonly poolKey: string;
  /** For whom processes are kept between runs. */
  readonly owner: string;
}

export async function whoseRun(
  target: HostedLaunch,
  resolved: ResolvedServer,
  context: OperationContext,
): Promise<RunParts> {
  const { config, server } = resolved;
  const { caller, subject } = context;
  const sharer = config.share === "tenant" ? null : subject;
  const [poolKey, owner] = await Promise.all([
    hash([caller.tenant, sharer, server.source, config.name, target.launch]),
    hash([caller.tenant, subject]),
  ]);
  return { target, resolved, context, poolKey, owner };
}

function hash(parts: readonly unknown[]): Promise<string> {
  return sha256Hex(JSON.stringify(parts));
}

/** `session`: the one to keep or to go on with; null = none. */
export function runRequest(
  { target, resolved: { config, server }, context, poolKey, owner }: RunParts,
  session: Pick<RunSession, "id" | "start"> | null,
  operation: RunRequest["operation"],
  options: ServerOptions,
): RunRequest {
  const { logLevel, capabilities, refresh } = options;
  const { caller, deps } = context;
  const { idle_seconds, session_idle_seconds: idleS = sessionIdleS } = deps.settings.policyOf(
    caller.tenant,
  ).limits;
  return {
    request_id: context.requestId,
    tenant: caller.tenant,
    pool_key: poolKey,
    owner,
    server: config.name,
    source: server.source,
    ...(refresh === true ? { refresh } : {}),
    ...(session === null ? {} : { session: { ...session, idle_ms: idleS * 1000 } }),
    launch: target.launch,
    protocol: config.protocol,
    log_level: logLevel ?? null,
    ...(capabilities === undefined ? {} : { client_capabilities: capabilities }),
    operation,
    limits: {
      install_ms: installMs,
      handshake_ms: handshakeMs,
      call_ms: options.timeoutMs,
      progress_extends_to_ms: options.extendsToMs ?? options.timeoutMs,
      result_bytes: frameBytes,
      ...(idle_seconds === undefined ? {} : { idle_ms: idle_seconds * 1000 }),
    },
  };
}

/** An operation as a run: what goes on with a waiting call is no call of its own. */
export function runOperationOf(
  operation: McpOperation,
  { config }: ResolvedServer,
): RunRequest["operation"] {
  const params = readWaitingAnswer(operation, config.protocol);
  return params === null ? operation : { method: "continue", params: { ...params } };
}

/**
 * Ends a session's process on the host; one that is gone has ended already.
 * @throws GatewayError HOST_UNAVAILABLE, NOT_READY
 */
export async function endRunSession(id: string, whose: RunParts): Promise<void> {
  const limits = { timeoutMs: endMs };
  const request = runRequest(whose, { id, start: false }, { method: "end-session" }, limits);
  const ask = hostOf(whose.target, whose.context);
  await ask(request, AbortSignal.timeout(endMs), () => undefined);
}
