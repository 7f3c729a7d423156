import type { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";
import { type Redact, redactJson } from "../process/redact.ts";

type ErrorEvent = Extract<RunEvent, { event: "error" }>;

interface ErrorContext {
  /** The operation's bytes may have reached the server. */
  readonly sent: boolean;
  readonly redact: Redact;
}

/** A run's failure as its last event; what the server itself said in it is masked. */
export function errorEvent(error: GatewayError, { sent, redact }: ErrorContext): ErrorEvent {
  return {
    event: "error",
    error: {
      code: error.code,
      message: redact(error.message),
      hint: error.hint,
      executed: sent ? error.executed : "no",
      ...(error.details === undefined ? {} : { details: redactDetails(error.details, redact) }),
      ...(error.retryAfterS === undefined ? {} : { retry_after_s: error.retryAfterS }),
    },
  };
}

function redactDetails(details: Record<string, unknown>, redact: Redact): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, redactJson(redact, value)]),
  );
}
