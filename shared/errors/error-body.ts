import type { ErrorCode, ErrorType, Executed } from "./catalogue.ts";
import type { ErrorDetails, GatewayError } from "./gateway-error.ts";

/** The `error` object of every failed answer. */
export interface ErrorBody {
  readonly type: ErrorType;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly server?: string;
  readonly retryable: boolean;
  readonly executed: Executed;
  readonly details?: ErrorDetails;
  /** Path of the code's documentation, from the repository's root. */
  readonly docs: string;
}

/** Where the documentation of `code` stands. */
export function errorDocs(code: ErrorCode): string {
  return `docs/reference/errors.md#${code.toLowerCase()}`;
}

export function errorBody(error: GatewayError): ErrorBody {
  return {
    type: error.type,
    code: error.code,
    message: error.message,
    hint: error.hint,
    ...(error.server === undefined ? {} : { server: error.server }),
    retryable: error.retryable,
    executed: error.executed,
    ...(error.details === undefined ? {} : { details: error.details }),
    docs: errorDocs(error.code),
  };
}
