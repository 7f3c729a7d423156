import { errorBody } from "../../shared/errors/error-body.ts";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import type { RunEvent } from "../../shared/run-contract/contract.ts";

const eventsHeaders = { "content-type": "application/x-ndjson", "cache-control": "no-store" };
const encoder = new TextEncoder();

/** The plain answer to a request that was refused before its run was accepted, as a host gives it. */
export function errorAnswer(error: GatewayError): Response {
  const headers = new Headers();
  if (error.retryAfterS !== undefined) headers.set("retry-after", String(error.retryAfterS));
  const body = { success: false, error: errorBody(error) };
  return Response.json(body, { status: error.http, headers });
}

/** Run events, one a line. */
export function eventsAnswer(body: BodyInit): Response {
  return new Response(body, { headers: eventsHeaders });
}

export function eventLine(event: RunEvent): Uint8Array {
  return encoder.encode(`${JSON.stringify(event)}\n`);
}

/** The last event of a run that came to nothing: no server was asked. */
export function failureEvent(error: GatewayError): RunEvent {
  const { code, message, hint, details, retryAfterS } = error;
  return {
    event: "error",
    error: {
      code,
      message,
      hint,
      executed: "no",
      ...(details === undefined ? {} : { details }),
      ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
    },
  };
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError("INTERNAL", "The runner failed unexpectedly.", { cause: error });
}
