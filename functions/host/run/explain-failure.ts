import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { processExited, processStartFailed } from "../process/process-failure.ts";
import type { ServerProcess } from "../process/server-process.ts";

/** A broken pipe is often noticed before the exit that broke it. */
const exitNoticeMs = 500;
const brokenConnection = new Set(["CONNECTION_LOST", "SESSION_CLOSED", "PROCESS_EXITED"]);

/** Why an operation failed: a process that has ended tells more than the pipe that broke with it. */
export async function explainFailure(process: ServerProcess, error: unknown): Promise<unknown> {
  const lost = await lostConnection(process, error);
  return lost === null ? error : processExited(process).with({ executed: lost.executed });
}

/** The same for a handshake: what it was sent was no operation yet. */
export async function explainFailedStart(process: ServerProcess, error: unknown): Promise<unknown> {
  if ((await lostConnection(process, error)) !== null) return processStartFailed(process);
  if (!(error instanceof GatewayError) || error.code !== "CONNECT_TIMEOUT") return error;
  const { command, stderrTail } = process;
  return error.with({
    details: { command, ...(stderrTail === null ? {} : { stderr_tail: stderrTail }) },
  });
}

/** The error, if the process has ended at the same time; else null. */
async function lostConnection(
  process: ServerProcess,
  error: unknown,
): Promise<GatewayError | null> {
  if (!(error instanceof GatewayError) || !brokenConnection.has(error.code)) return null;
  await Promise.race([process.ended, sleep(exitNoticeMs)]);
  return process.end === undefined ? null : error;
}
