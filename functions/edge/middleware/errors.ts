import { errorBody } from "../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AppContext } from "../context.ts";
import { whereThrown } from "../../../shared/errors/where-thrown.ts";

/** Answers a failure as the error model says. */
export function answerError(thrown: unknown, c: AppContext): Response {
  const error = toGatewayError(thrown, c.get("requestId"));
  if (error.code === "UNAUTHENTICATED") c.header("www-authenticate", "Bearer");
  if (error.retryAfterS !== undefined) c.header("retry-after", String(error.retryAfterS));
  return Response.json(errorAnswer(error, c.get("requestId")), {
    status: error.http,
    headers: new Headers(c.res.headers),
  });
}

/** What is no GatewayError becomes INTERNAL, its cause only logged. */
export function toGatewayError(thrown: unknown, requestId: string): GatewayError {
  return thrown instanceof GatewayError ? thrown : internal(thrown, requestId);
}

/** The body of every failed answer. */
export function errorAnswer(error: GatewayError, requestId: string) {
  return { success: false, error: errorBody(error), metadata: { request_id: requestId } } as const;
}

function internal(cause: unknown, requestId: string): GatewayError {
  console.error({
    msg: "internal error",
    request_id: requestId,
    error: whereThrown(cause),
  });
  return new GatewayError("INTERNAL", "Something failed inside Gangway.", {
    executed: "maybe",
    cause,
  });
}
