import { catalogue, type ErrorCode, type ErrorType, type Executed } from "./catalogue.ts";

/** Facts about one failure, safe to show: never a secret value. JSON-serialisable. */
export type ErrorDetails = Record<string, unknown>;

export interface GatewayErrorOptions {
  /** Replaces the catalogue's hint where a more exact remedy is known. */
  readonly hint?: string;
  /** The server's name in the config. */
  readonly server?: string;
  readonly executed?: Executed;
  readonly details?: ErrorDetails;
  /** Whole seconds, sent as `Retry-After`. */
  readonly retryAfterS?: number;
  /** The same request would fail again, whatever the catalogue says of its kind. */
  readonly permanent?: boolean;
  readonly cause?: unknown;
}

/** The one error class of expected failures; `code` decides type, statuses and documentation. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly server: string | undefined;
  readonly executed: Executed;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterS: number | undefined;
  readonly permanent: boolean;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? catalogue[code].hint;
    this.server = options.server;
    this.executed = options.executed ?? "no";
    this.details = options.details;
    this.retryAfterS = options.retryAfterS;
    this.permanent = options.permanent ?? false;
  }

  get type(): ErrorType {
    return catalogue[this.code].type;
  }

  /** HTTP status of the answer. */
  get http(): number {
    return catalogue[this.code].http;
  }

  /** A retry may succeed and cannot run a tool twice. */
  get retryable(): boolean {
    return catalogue[this.code].retryable && !this.permanent && this.executed === "no";
  }

  /** The same failure with more known about it; fields given here win. */
  with(options: GatewayErrorOptions): GatewayError {
    return new GatewayError(this.code, this.message, {
      hint: this.hint,
      executed: this.executed,
      permanent: this.permanent,
      ...(this.server === undefined ? {} : { server: this.server }),
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.retryAfterS === undefined ? {} : { retryAfterS: this.retryAfterS }),
      cause: this.cause ?? this,
      ...options,
    });
  }
}
