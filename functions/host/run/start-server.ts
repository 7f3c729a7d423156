import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { McpSession } from "../../../shared/mcp/session.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { PreparedLaunch } from "../launch/prepare.ts";
import type { Log } from "../log.ts";
import type { StartServer } from "../pool/server-pool.ts";
import { NotificationRelay } from "../pool/warm-server.ts";
import { createRedact } from "../process/redact.ts";
import { type ProcessDependencies, ServerProcess } from "../process/server-process.ts";

/**
 * Starts a server's process and does the MCP handshake with it.
 * @throws GatewayError PROCESS_START_FAILED when it ends before it is ready, CONNECT_TIMEOUT when
 * it is not ready in time; both with the end of its stderr.
 */
export function startServer(request: RunRequest, prepared: PreparedLaunch, deps: ProcessDependencies): StartServer {
  return async (own) => {
    const { secrets, plain } = knownValues(request);
    const redact = createRedact({ secrets, plain });
    const maxFrameBytes = request.limits.result_bytes;
    const process = await ServerProcess.start({ prepared, redact, maxFrameBytes }, deps);
    own(process);
    const notifications = new NotificationRelay();
    const session = openSession(request, process, { notifications, log: deps.log });
    try {
      await session.connect();
      return { process, session, notifications, redact: createRedact({ secrets, plain: [] }) };
    } catch (error) {
      const failure = await startFailure(process, error);
      void process.stop("start-failed");
      throw failure;
    }
  };
}

function openSession(
  request: RunRequest,
  process: ServerProcess,
  { notifications, log }: { notifications: NotificationRelay; log: Log },
): McpSession {
  return new McpSession({
    name: request.server,
    target: process.command,
    openTransport: () => process.transport,
    // `auto` would start a server twice to find out: the probe ends servers that do not know it.
    protocol: request.protocol === "auto" ? "legacy" : request.protocol,
    connectTimeoutMs: request.limits.handshake_ms,
    onNotification: (notification) => notifications.relay(notification),
    onException: (error) => log.debug({ pid: process.pid, exception: error.name }, "session exception"),
  });
}

/** A process that has just ended tells more than the session whose pipe broke. */
async function startFailure(process: ServerProcess, error: unknown): Promise<unknown> {
  if (!(error instanceof GatewayError)) return error;
  if (error.code === "CONNECTION_LOST" || error.code === "PROCESS_EXITED") await process.ended;
  if (process.end !== undefined) return process.failure("PROCESS_START_FAILED", "before it was ready");
  if (error.code === "CONNECT_TIMEOUT") return error.with({ details: { command: process.command, stderr_tail: process.stderrTail() } });
  return error;
}

function knownValues({ launch }: RunRequest): { secrets: string[]; plain: string[] } {
  return {
    secrets: [...Object.values(launch.secret_env), ...(launch.redact ?? [])],
    plain: Object.values(launch.env),
  };
}
