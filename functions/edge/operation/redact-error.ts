import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { shortenDetails, shortenText } from "../../../shared/errors/shorten-error.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";

/** The same failure with this server's secret values masked in everything that is answered, shortened. */
export function redactError(error: GatewayError, redactor: Redactor): GatewayError {
  return new GatewayError(error.code, shortenText(redactor.text(error.message)), {
    hint: redactor.text(error.hint),
    executed: error.executed,
    permanent: error.permanent,
    cause: error,
    ...(error.server === undefined ? {} : { server: error.server }),
    ...(error.details === undefined
      ? {}
      : { details: shortenDetails(redactor.data(error.details).data) }),
    ...(error.retryAfterS === undefined || isMasked(error.retryAfterS, redactor)
      ? {}
      : { retryAfterS: error.retryAfterS }),
  });
}

function isMasked(number: number, redactor: Redactor): boolean {
  return redactor.data([number]).count > 0;
}
