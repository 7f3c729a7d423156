import type { Executed } from "../../../shared/errors/catalogue.ts";
import type { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { shortenDetails, shortenText } from "../../../shared/errors/shorten-error.ts";
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
      message: shortenText(redact(error.message)),
      hint: error.hint,
      executed: executedOf(error, sent),
      ...(error.details === undefined ? {} : { details: redactDetails(error.details, redact) }),
      ...(error.retryAfterS === undefined ? {} : { retry_after_s: error.retryAfterS }),
    },
  };
}

/** Of a failure of our own nobody knows what the server had done by then. */
function executedOf({ code, executed }: GatewayError, sent: boolean): Executed {
  if (!sent) return "no";
  return code === "INTERNAL" && executed === "no" ? "maybe" : executed;
}

function redactDetails(details: Record<string, unknown>, redact: Redact): Record<string, unknown> {
  const entries = Object.entries(details);
  return shortenDetails(
    Object.fromEntries(entries.map(([key, value]) => [key, redactJson(redact, value)])),
  );
}
