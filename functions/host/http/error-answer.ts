import type { ServerResponse } from "node:http";
import { errorBody } from "../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { answerJson } from "./answer-json.ts";

/** The plain JSON answer to a request that was refused before its run was accepted. */
export function answerError(response: ServerResponse, error: GatewayError): void {
  if (error.retryAfterS !== undefined) response.setHeader("retry-after", error.retryAfterS);
  if (error.code === "METHOD_NOT_ALLOWED")
    response.setHeader("allow", String(error.details?.["allow"]));
  answerJson(response, error.http, { success: false, error: errorBody(error) });
}

/** What is told of any failure; the unexpected ones say nothing of their inside. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError("INTERNAL", "The host failed unexpectedly.", { cause: error });
}
