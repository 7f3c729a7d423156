import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { isPinned } from "../../../shared/run-contract/is-pinned.ts";
import { deadline } from "../deadline.ts";
import { prepareLaunch, type Runners } from "../launch/prepare.ts";
import { poolKey } from "../pool/pool-key.ts";
import type { PoolUse } from "../pool/pool-slot.ts";
import type { Lease, ServerPool } from "../pool/server-pool.ts";
import type { ProcessDependencies } from "../process/server-process.ts";
import { ownerOf } from "../sessions/owner-of.ts";
import { type SessionBook, sessionKey } from "../sessions/session-book.ts";
import type { Run } from "./run.ts";
import { startServer } from "./start-server.ts";
import type { Stopwatch } from "./stopwatch.ts";

export interface ObtainDependencies {
  readonly runners: Runners;
  readonly pool: ServerPool;
  readonly sessions: SessionBook;
  readonly process: ProcessDependencies;
  readonly tagTtlMs: number;
}

/** The handshake's own time limit tells more than the end of a caller's wait: it goes first. */
const handshakeGraceMs = 500;

/**
 * The use of the process that a run is served by: its session's, or one that is warm, or one that
 * is installed and started for it.
 * @throws GatewayError SESSION_EXPIRED, CAPACITY, INSTALL_TIMEOUT, CONNECT_TIMEOUT, what installing
 * and starting fail with, and the run's own abort reason
 */
export async function obtainServer(
  { request, emit, signal }: Run,
  deps: ObtainDependencies,
  watch: Stopwatch,
): Promise<Lease> {
  const { session } = request;
  const use = useOf(request);
  if (session !== undefined) deps.sessions.expectSame(session, request);
  const warm = deps.pool.leaseWarm(use, maxAgeMs(request, deps));
  if (warm !== null) return warm;
  if (session !== undefined && !deps.pool.has(use))
    deps.sessions.expectStartable(session, request.server);
  deps.pool.expectStartable(use);
  emit({ event: "phase", phase: "install" });
  using installing = deadline(request.limits.install_ms, signal, () => installTimeout(request));
  const prepared = await watch.time(
    "install",
    prepareLaunch(deps.runners, request.launch, installing.signal),
  );
  emit({ event: "phase", phase: "handshake" });
  const waitMs = request.limits.handshake_ms + handshakeGraceMs;
  using starting = deadline(waitMs, signal, () => startTimeout(request, prepared.command));
  const plain = startServer(request, prepared, deps.process);
  const start = session === undefined ? plain : deps.sessions.starting(session, request, plain);
  return await watch.time("handshake", deps.pool.lease(use, start, starting.signal));
}

function useOf(request: RunRequest): PoolUse {
  const launchKey = poolKey(request);
  const { session } = request;
  const key = session === undefined ? launchKey : sessionKey(session.id);
  return { key, launchKey, owner: ownerOf(request) };
}

/** A session keeps the version that it began with. */
function maxAgeMs({ session, launch }: RunRequest, { tagTtlMs }: ObtainDependencies): number {
  return session !== undefined || isPinned(launch) ? Number.POSITIVE_INFINITY : tagTtlMs;
}

function installTimeout({ launch, limits }: RunRequest): GatewayError {
  const told = `The package ${launch.package} was not installed within ${limits.install_ms} ms.`;
  return new GatewayError("INSTALL_TIMEOUT", told, { details: { package: launch.package } });
}

function startTimeout({ limits }: RunRequest, command: string): GatewayError {
  const told = `The server's process (${command}) was not ready within ${limits.handshake_ms} ms.`;
  return new GatewayError("CONNECT_TIMEOUT", told, { details: { command } });
}
