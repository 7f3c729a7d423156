import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

/**
 * What a failure of the store means: the secret does not exist (or has no version with the
 * label) · too many requests · credentials or rights · anything that may pass by itself.
 */
export type AwsFailureKind = "missing" | "throttled" | "refused" | "unavailable";

const kinds: ReadonlyMap<string, AwsFailureKind> = new Map([
  ["ResourceNotFoundException", "missing"],
  // For a read it means that the secret is scheduled for deletion.
  ["InvalidRequestException", "missing"],
  ["ThrottlingException", "throttled"],
  ["Throttling", "throttled"],
  ["ThrottledException", "throttled"],
  ["RequestThrottled", "throttled"],
  ["RequestThrottledException", "throttled"],
  ["RequestLimitExceeded", "throttled"],
  ["TooManyRequestsException", "throttled"],
  ["LimitExceededException", "throttled"],
  ["DecryptionFailure", "refused"],
  ["InternalServiceError", "unavailable"],
  ["InternalFailure", "unavailable"],
  ["ServiceUnavailable", "unavailable"],
]);

/** The kind of an error code of AWS; `status` decides for codes that are not listed. */
export function awsFailureKind(code: string, status = 0): AwsFailureKind {
  const known = kinds.get(code);
  if (known !== undefined) return known;
  if (status === 429) return "throttled";
  // Signature, token, key and policy failures come under a dozen codes, all with such a status.
  return status >= 400 && status < 500 ? "refused" : "unavailable";
}

/** A failed question to AWS, as far as it may be told: no account, no principal, no text of AWS. */
export interface AwsFailure {
  readonly kind: AwsFailureKind;
  /** AWS's own code where it answered with one, else the status, else that no answer came. */
  readonly code: string;
  /** For the log. */
  readonly cause?: unknown;
}

export function toAwsFailure(error: unknown): AwsFailure {
  if (!(error instanceof Error)) return { kind: "unavailable", code: "Unknown" };
  const status = "$metadata" in error ? statusOf(error.$metadata) : 0;
  const code = "$fault" in error ? error.name : status === 0 ? "no answer" : `HTTP ${status}`;
  return { kind: awsFailureKind(code, status), code, cause: causeOf(error) };
}

function statusOf(metadata: unknown): number {
  if (typeof metadata !== "object" || metadata === null) return 0;
  return "httpStatusCode" in metadata ? Number(metadata.httpStatusCode) : 0;
}

/**
 * What the log may hold: never the error itself, which carries the answer, nor the message of a
 * parser, which quotes it.
 */
function causeOf(error: Error): unknown {
  return error instanceof SyntaxError
    ? { name: error.name }
    : { name: error.name, message: error.message };
}

/** The error that a caller sees; `names` are the references that could not be read. */
export function awsError(
  failure: AwsFailure,
  region: string,
  names: readonly string[],
): GatewayError {
  const details = { store: "aws", region, aws_code: failure.code, references: names };
  const store = `AWS Secrets Manager in ${region}`;
  if (failure.kind === "refused") {
    return new GatewayError(
      "SECRET_PROVIDER_REFUSED",
      `${store} refused to be read (${failure.code}).`,
      {
        details,
        cause: failure.cause,
      },
    );
  }
  const throttled = failure.kind === "throttled";
  return new GatewayError(
    "SECRET_PROVIDER_FAILED",
    throttled ? `${store} is throttling reads.` : `${store} could not be read (${failure.code}).`,
    {
      details,
      cause: failure.cause,
      ...(throttled && {
        hint: "Try again in some seconds; if it lasts, use one bundle a tenant instead of one secret a name.",
        retryAfterS: 5,
      }),
    },
  );
}
