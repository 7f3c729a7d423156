import {
  type RequestOptions,
  SdkHttpError,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import { GatewayError } from "../errors/gateway-error.ts";
import { httpFailure, isRefusedUnread } from "./http-failure.ts";
import type { JsonObject } from "./json.ts";
import type { OpenClient } from "./open-client.ts";
import type { OperationDeadline } from "./operation-deadline.ts";
import type { OperationOptions, OperationResult } from "./session-types.ts";

/** One JSON-RPC request on its way to a server. */
export interface WireRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Who is asked, for messages. */
  readonly target: string;
  /** Input schema of the tool that is called, where arguments are to be mirrored in headers. */
  readonly inputSchema?: JsonObject;
}

/** The SDK's own limit is out of the way: OperationDeadline keeps the time. */
const neverMs = 2_147_483_647;

/** The tolerant transport has read the result already. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "gangway", validate: (value) => ({ value }) },
};

/**
 * Sends one request, once, and waits for its answer. Rejects with a GatewayError whose `executed`
 * is about `tools/call`; no other method runs a tool.
 */
export async function runOperation(
  open: OpenClient,
  operation: WireRequest,
  options: OperationOptions,
  deadline: OperationDeadline,
): Promise<OperationResult> {
  let sent = false;
  let endTurn: (() => void) | undefined;
  try {
    deadline.signal.throwIfAborted();
    endTurn = await deadline.whilePaused(() => open.takeTurn?.("request", deadline.signal));
    const answered = ask(open, operation, {
      signal: deadline.signal,
      timeout: neverMs,
      allowInputRequired: true,
      ...progressOptions(options, deadline),
    });
    // The SDK hands the message to the transport before it returns the promise.
    sent = true;
    options.onSent?.();
    return readTicket(open, await answered, operation);
  } catch (error) {
    throw operationFailure(error, { operation, deadline, sent });
  } finally {
    endTurn?.();
  }
}

async function ask(
  { client }: OpenClient,
  { method, params, inputSchema }: WireRequest,
  options: RequestOptions,
): Promise<unknown> {
  if (inputSchema === undefined) return client.request({ method, params }, anything, options);
  const name = String(params["name"]);
  const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
  return client.callTool({ ...params, name }, { ...options, toolDefinition });
}

function progressOptions(options: OperationOptions, deadline: OperationDeadline) {
  if (options.onProgress === undefined && options.extendsToMs === undefined) return {};
  return {
    onprogress: (progress: {
      progress: number;
      total?: number | undefined;
      message?: string | undefined;
    }) => {
      deadline.extend();
      const { total, message } = progress;
      options.onProgress?.({
        progress: progress.progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      });
    },
  };
}

function readTicket(open: OpenClient, result: unknown, operation: WireRequest): OperationResult {
  const answer = open.transport.take(result);
  if (answer === null) {
    throw new GatewayError(
      "INTERNAL",
      `The answer to ${operation.method} was read past the session.`,
    );
  }
  if (!answer.ok) throw answer.error;
  return answer.value;
}

interface FailedOperation {
  readonly operation: WireRequest;
  readonly deadline: OperationDeadline;
  readonly sent: boolean;
}

function operationFailure(error: unknown, failed: FailedOperation): GatewayError {
  const known = knownFailure(error, failed);
  if (failed.operation.method !== "tools/call" || !failed.sent)
    return known.with({ executed: "no" });
  return known;
}

function knownFailure(error: unknown, failed: FailedOperation): GatewayError {
  const { operation, deadline } = failed;
  if (error instanceof GatewayError) return error;
  if (deadline.reason !== null) return endedByUs(failed);
  if (error instanceof SdkHttpError) {
    const failure = httpFailure({ status: error.status }, operation.target);
    return isRefusedUnread(error) ? failure.with({ executed: "no" }) : failure;
  }
  const text = `The connection to ${operation.target} ended before ${operation.method} was answered.`;
  return new GatewayError("CONNECTION_LOST", text, { executed: "maybe", cause: error });
}

function endedByUs({ operation, deadline }: FailedOperation): GatewayError {
  if (deadline.reason === "cancelled") {
    return new GatewayError("CANCELLED", `${operation.method} was cancelled.`, {
      executed: "maybe",
    });
  }
  const text = `${operation.target} did not answer ${operation.method} within ${deadline.limit}.`;
  const details = { timeout_ms: deadline.timeoutMs, elapsed_ms: deadline.elapsedMs };
  return new GatewayError("REQUEST_TIMEOUT", text, { executed: "maybe", details });
}
