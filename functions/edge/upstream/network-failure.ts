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
 * Why `fetch` or reading rejected; a GatewayError passes. workerd does not tell a refused
 * connection from a lost one: before the handshake (`connecting`) it counts as refused, later
 * `executed` is `maybe`.
 */
export function networkFailure(error: unknown, target: string, connecting = false): GatewayError {
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
  if (connecting) {
    const text = `No connection to ${target} could be made.`;
    return new GatewayError("CONNECTION_FAILED", text, { executed: "no", cause: error });
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
