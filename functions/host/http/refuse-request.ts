import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { answerError } from "./error-answer.ts";

/** How long a caller may go on sending to a host that has refused it: it reads the answer after. */
const lingerMs = 1000;

/**
 * Answers a request with its error. The rest of a body is read and kept nowhere, for a moment:
 * who still sends after it is cut off.
 */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  error: GatewayError,
): void {
  const { socket } = request;
  if (!isBodyToCome(request)) return answerError(response, error);
  const late = setTimeout(() => socket.destroy(), lingerMs);
  const over = (): void => clearTimeout(late);
  request.once("end", over).once("close", over).resume();
  answerError(response, error);
}

function isBodyToCome({ headers, complete }: IncomingMessage): boolean {
  const carries = "transfer-encoding" in headers || Number(headers["content-length"] ?? 0) > 0;
  return carries && !complete;
}
