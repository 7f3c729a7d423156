import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { operate } from "../../../shared/mcp/operate.ts";
import type { OperationResult } from "../../../shared/mcp/session-types.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import { checkLaunch } from "../launch/check-launch.ts";
import { isPinned } from "../../../shared/run-contract/is-pinned.ts";
import { prepareLaunch, type Runners } from "../launch/prepare.ts";
import { poolKey } from "../pool/pool-key.ts";
import type { Lease, ServerPool } from "../pool/server-pool.ts";
import type { ProcessDependencies } from "../process/server-process.ts";
import { deadline } from "../deadline.ts";
import { explainFailure } from "./explain-failure.ts";
import { DropCounter } from "./drop-counter.ts";
import { rateLimit } from "./rate-limit.ts";
import { relayLog } from "./relay-log.ts";
import { relayNotification } from "./relay-notification.ts";
import { relayProgress } from "./relay-progress.ts";
import { shallow } from "./shallow.ts";
import { startServer } from "./start-server.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface RunDependencies {
  readonly runners: Runners;
  readonly pool: ServerPool;
  readonly process: ProcessDependencies;
  readonly maxFrameBytes: number;
  readonly tagTtlMs: number;
  readonly now: () => number;
}

/** One run on its way: what was asked, and where its events go. */
export interface Run {
  readonly request: RunRequest;
  readonly emit: EmitEvent;
  /** Aborts with a GatewayError when the caller goes away. */
  readonly signal: AbortSignal;
}

/** The handshake's own time limit tells more than the end of a caller's wait: it goes first. */
const handshakeGraceMs = 500;

/** What one call may tell of itself; a server that tells more is not read out whole. */
const progressRate = { perSecond: 10, burst: 20 };
const logRate = { perSecond: 50, burst: 100 };

/** The life of one run: check → install → start → operate → answer. Ends with the `result` event. */
export async function runOperation(asked: Run, deps: RunDependencies): Promise<void> {
  const run = { ...asked, request: withinHostLimits(asked.request, deps) };
  checkLaunch(run.request.launch);
  const watch = new Stopwatch(deps.now);
  const lease = await obtain(run, deps, watch);
  const drops = new DropCounter();
  try {
    const told = await watch.time("call", operateOn(lease, run, { drops, now: deps.now }));
    lease.worked();
    const answer = shallow(told, run.request);
    run.emit({
      event: "result",
      ...answer,
      warnings: [...answer.warnings],
      session: sessionInfo(lease),
      timings_ms: watch.timings,
      dropped: drops.counts,
    });
  } catch (error) {
    // A server that let one call run out may let all others do so as well.
    if (error instanceof GatewayError && error.code === "REQUEST_TIMEOUT") lease.retire();
    throw await explainFailure(lease.server.process, error);
  } finally {
    lease.release();
  }
}

async function obtain(run: Run, deps: RunDependencies, watch: Stopwatch): Promise<Lease> {
  const { request, emit, signal } = run;
  const key = poolKey(request);
  const maxAgeMs = isPinned(request.launch) ? Number.POSITIVE_INFINITY : deps.tagTtlMs;
  const warm = deps.pool.leaseWarm(key, maxAgeMs);
  if (warm !== null) return warm;
  emit({ event: "phase", phase: "install" });
  using installing = deadline(request.limits.install_ms, signal, () => installTimeout(request));
  const prepared = await watch.time(
    "install",
    prepareLaunch(deps.runners, request.launch, installing.signal),
  );
  emit({ event: "phase", phase: "handshake" });
  const waitMs = request.limits.handshake_ms + handshakeGraceMs;
  using starting = deadline(waitMs, signal, () => startTimeout(request, prepared.command));
  const start = startServer(request, prepared, deps.process);
  return await watch.time("handshake", deps.pool.lease(key, start, starting.signal));
}

interface Telling {
  readonly drops: DropCounter;
  readonly now: () => number;
}

async function operateOn(
  { server }: Lease,
  run: Run,
  { drops, now }: Telling,
): Promise<OperationResult> {
  const { request, emit, signal } = run;
  const { limits, log_level: level, client_capabilities: capabilities } = request;
  const { redact } = server;
  const told = (name: string, rate: typeof logRate) => ({
    redact,
    emit,
    mayPass: drops.watch(name, rateLimit(rate, now)),
  });
  using _frames = server.process.frames.allow(limits.result_bytes);
  const log = relayLog({ level, ...told("log", logRate) });
  const others = relayNotification(told("notification", logRate));
  using _notes = server.notifications.listen((note) => (log(note), others(note)));
  return await operate(server.session, request.operation, {
    timeoutMs: limits.call_ms,
    extendsToMs: limits.progress_extends_to_ms,
    signal,
    onSent: () => emit({ event: "sent" }),
    onProgress: relayProgress(told("progress", progressRate)),
    ...(level === null ? {} : { logLevel: level }),
    ...(capabilities === undefined ? {} : { capabilities }),
  });
}

function sessionInfo({ server, warm }: Lease) {
  const { info } = server.session;
  return {
    era: info?.era ?? "legacy",
    protocol_version: info?.protocolVersion ?? "",
    warm,
  } as const;
}

/** The host's own bound on what one frame may cost it in memory. */
function withinHostLimits(request: RunRequest, { maxFrameBytes }: RunDependencies): RunRequest {
  const result_bytes = Math.min(request.limits.result_bytes, maxFrameBytes);
  return { ...request, limits: { ...request.limits, result_bytes } };
}

function installTimeout({ launch, limits }: RunRequest): GatewayError {
  const told = `The package ${launch.package} was not installed within ${limits.install_ms} ms.`;
  return new GatewayError("INSTALL_TIMEOUT", told, { details: { package: launch.package } });
}

function startTimeout({ limits }: RunRequest, command: string): GatewayError {
  const told = `The server's process (${command}) was not ready within ${limits.handshake_ms} ms.`;
  return new GatewayError("CONNECT_TIMEOUT", told, { details: { command } });
}
