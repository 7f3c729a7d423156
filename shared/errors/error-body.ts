import type * as z from "zod";
import type { errorBodySchema } from "../api/error-body-schema.ts";
import type { ReadonlyDeep } from "../api/readonly-deep.ts";
import type { ErrorCode } from "./catalogue.ts";
import type { GatewayError } from "./gateway-error.ts";

/** The `error` object of every failed answer. */
export type ErrorBody = ReadonlyDeep<z.infer<typeof errorBodySchema>>;

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
