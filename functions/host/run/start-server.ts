import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { McpSession } from "../../../shared/mcp/session.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { PreparedLaunch } from "../launch/prepare.ts";
import type { Log } from "../log.ts";
import type { StartServer } from "../pool/capacity.ts";
import { NotificationRelay } from "../pool/warm-server.ts";
import { createRedact } from "../process/redact.ts";
import type { ProcessDependencies, ServerProcess } from "../process/server-process.ts";
import { declaredAtStart } from "../questions/answerable.ts";
import { QuestionDesk } from "../questions/question-desk.ts";
import { explainFailedStart } from "./explain-failure.ts";
import { startProcess } from "./start-process.ts";

/** Longest that a session's process may stay unused. */
const longestKeptMs = 900_000;

/**
 * Starts a server's process and does the MCP handshake with it.
 * @throws GatewayError PROCESS_START_FAILED when it ends before it is ready, CONNECT_TIMEOUT when
 * it is not ready in time; both with the end of its stderr.
 */
export function startServer(
  request: RunRequest,
  prepared: PreparedLaunch,
  deps: ProcessDependencies,
): StartServer {
  return async (own) => {
    const { secrets, plain } = knownValues(request);
    const redact = createRedact({ secrets, plain });
    const maxFrameBytes = request.limits.result_bytes;
    const process = await startProcess({ prepared, redact, maxFrameBytes }, deps);
    own(process);
    const notifications = new NotificationRelay();
    const questions = new QuestionDesk();
    const session = openSession(request, process, { notifications, questions, log: deps.log });
    try {
      await session.connect();
      const { idle_ms: idleMs } = request.limits;
      const redactNotes = createRedact({ secrets, plain: [] });
      const keptMs = keptMsOf(request);
      return { process, session, notifications, questions, redact: redactNotes, idleMs, keptMs };
    } catch (error) {
      const failure = await explainFailedStart(process, error);
      void process.stop("start-failed");
      const { explainStart } = prepared;
      throw failure instanceof GatewayError && explainStart !== undefined
        ? await explainStart(failure)
        : failure;
    }
  };
}

interface SessionParts {
  readonly notifications: NotificationRelay;
  readonly questions: QuestionDesk;
  readonly log: Log;
}

function openSession(
  request: RunRequest,
  process: ServerProcess,
  { notifications, questions, log }: SessionParts,
): McpSession {
  const capabilities = declaredAtStart(request);
  return new McpSession({
    name: request.server,
    target: process.command,
    openTransport: () => process.transport,
    // `auto` would start a server twice to find out: the probe ends servers that do not know it.
    protocol: request.protocol === "auto" ? "legacy" : request.protocol,
    connectTimeoutMs: request.limits.handshake_ms,
    ...(capabilities === null ? {} : { capabilities }),
    onQuestion: (question, signal) => questions.answer(question, signal),
    onNotification: (notification) => notifications.relay(notification),
    onException: (error) =>
      log.debug({ pid: process.pid, exception: error.name }, "session exception"),
  });
}

function keptMsOf({ session }: RunRequest): number | null {
  return session === undefined ? null : Math.min(session.idle_ms, longestKeptMs);
}

function knownValues({ launch }: RunRequest): { secrets: string[]; plain: string[] } {
  return {
    secrets: [...Object.values(launch.secret_env), ...(launch.redact ?? [])],
    plain: Object.values(launch.env),
  };
}
