import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import { GatewayError } from "../errors/gateway-error.ts";
import { httpFailure } from "./http-failure.ts";
import { rpcFailure } from "./rpc-failure.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** What is known about an attempt to connect that failed. */
export interface FailedConnect {
  /** What the SDK's client threw. */
  readonly error: unknown;
  /** What the transport said last, null when it said nothing. */
  readonly transportFailure: unknown;
  readonly offeredVersion: string | null;
  readonly target: string;
  readonly connectTimeoutMs: number;
}

/** A failed connect as one of our errors. No operation was sent yet: `executed` is `no`. */
export function connectFailure(failed: FailedConnect): GatewayError {
  const told = failed.transportFailure;
  const known =
    knownFailure(told, failed) ?? (told === null ? knownFailure(failed.error, failed) : null);
  if (known !== null) return known.with({ executed: "no" });
  if (told !== null) {
    const text = `No connection to ${failed.target} could be made.`;
    return new GatewayError("CONNECTION_FAILED", text, { cause: told });
  }
  const text = `${failed.target} answered the handshake in a way that does not follow the protocol.`;
  return new GatewayError("RESPONSE_INVALID", text, { cause: failed.error });
}

function knownFailure(error: unknown, failed: FailedConnect): GatewayError | null {
  if (error instanceof GatewayError) return error;
  if (error instanceof SdkHttpError) return httpFailure({ status: error.status }, failed.target);
  if (isVersionMismatch(error, failed)) return versionUnsupported(failed);
  if (error instanceof ProtocolError) {
    return rpcFailure(
      { code: error.code, message: error.message, data: error.data },
      "the handshake",
      failed.target,
    );
  }
  return error instanceof SdkError ? sdkFailure(error, failed) : null;
}

function isVersionMismatch(error: unknown, failed: FailedConnect): boolean {
  if (error instanceof UnsupportedProtocolVersionError) return true;
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed) return true;
  return (
    failed.offeredVersion !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(failed.offeredVersion)
  );
}

function versionUnsupported(failed: FailedConnect): GatewayError {
  const offered =
    failed.offeredVersion === null ? "" : ` It offers ${wholeOrLength(failed.offeredVersion, 40)}.`;
  const text = `${failed.target} does not speak a protocol version that was asked for.${offered}`;
  return new GatewayError("VERSION_UNSUPPORTED", text, { cause: failed.error });
}

function sdkFailure(error: SdkError, failed: FailedConnect): GatewayError | null {
  if (error.code === SdkErrorCode.RequestTimeout) return connectTimeout(failed);
  if (error.code !== SdkErrorCode.ConnectionClosed) return null;
  const text = `The connection to ${failed.target} ended during the handshake.`;
  return new GatewayError("CONNECTION_LOST", text, { cause: error });
}

/** The server did not finish the handshake in time. */
export function connectTimeout(
  failed: Pick<FailedConnect, "target" | "connectTimeoutMs">,
): GatewayError {
  const text = `${failed.target} did not finish the handshake within ${failed.connectTimeoutMs} ms.`;
  return new GatewayError("CONNECT_TIMEOUT", text);
}
