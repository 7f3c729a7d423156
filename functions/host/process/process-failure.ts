import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { describeEnd, endDetails, type EndReason } from "./end-reason.ts";

/** What is known of a process when it fails a run. */
export interface FailedProcess {
  /** The command, its values masked. */
  readonly command: string;
  /** Undefined while it lives. */
  readonly end: EndReason | undefined;
  /** The end of its stderr, values masked; null when it may be of another owner's call. */
  readonly stderrTail: string | null;
}

/** It ended while operations were in flight. */
export function processExited(process: FailedProcess): GatewayError {
  return failure("PROCESS_EXITED", process, "in the middle of the operation");
}

/** It ended before its handshake was done. */
export function processStartFailed(process: FailedProcess): GatewayError {
  return failure("PROCESS_START_FAILED", process, "before it was ready");
}

/** In place of the code's own hint where the stderr that it names is kept back. */
const withheldHint =
  "details tell how it ended; what it printed is not told, since the process served others as well. The next call starts a new process.";

function failure(
  code: "PROCESS_EXITED" | "PROCESS_START_FAILED",
  { command, end, stderrTail }: FailedProcess,
  when: string,
): GatewayError {
  const told = end === undefined ? "failed" : describeEnd(end);
  return new GatewayError(code, `The server's process (${command}) ${told} ${when}.`, {
    executed: code === "PROCESS_EXITED" ? "maybe" : "no",
    ...(stderrTail === null && { hint: withheldHint }),
    details: {
      command,
      ...(end === undefined ? {} : endDetails(end)),
      ...(stderrTail === null ? {} : { stderr_tail: stderrTail }),
    },
  });
}
