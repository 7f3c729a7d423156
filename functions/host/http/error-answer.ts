import { errorBody } from "../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** The plain JSON answer to a request that was refused before its run was accepted. */
export function errorAnswer(error: GatewayError): Response {
  const headers = new Headers();
  if (error.retryAfterS !== undefined) headers.set("retry-after", String(error.retryAfterS));
  if (error.code === "METHOD_NOT_ALLOWED") headers.set("allow", String(error.details?.["allow"]));
  return Response.json(
    { success: false, error: errorBody(error) },
    { status: error.http, headers },
  );
}

/** What is told of any failure; the unexpected ones say nothing of their inside. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError("INTERNAL", "The host failed unexpectedly.", { cause: error });
}
