import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** Error codes of a connection that was never made: nothing of the request has left. */
const neverConnected: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Why `fetch` rejected. Runtimes that do not tell a refused connection from a lost one leave
 * `executed` at `maybe`. A GatewayError of the guard passes.
 */
export function networkFailure(error: unknown, target: string): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = errorCode(error);
  if (code !== null && neverConnected.has(code)) {
    const text = `No connection to ${target} could be made (${code}).`;
    return new GatewayError("CONNECTION_FAILED", text, {
      executed: "no",
      cause: error,
      details: { reason: code },
    });
  }
  const text = `The connection to ${target} failed before an answer came.`;
  return new GatewayError("CONNECTION_LOST", text, { executed: "maybe", cause: error });
}

/** The system's code of an error or of what caused it. */
function errorCode(error: unknown): string | null {
  for (
    let link = error, depth = 0;
    link instanceof Error && depth < 5;
    link = link.cause, depth += 1
  ) {
    if ("code" in link && typeof link.code === "string") return link.code;
    if (link instanceof AggregateError) return errorCode(link.errors[0]);
  }
  return null;
}
