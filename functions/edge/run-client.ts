import { isErrorCode } from "../../shared/errors/catalogue.ts";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import {
  type RunEvent,
  type RunRequest,
  runEventSchema,
} from "../../shared/run-contract/contract.ts";
import { readRefusal } from "../../shared/run-contract/host-refusal.ts";
import { signTicket } from "../../shared/run-contract/ticket.ts";
import type { JWK } from "jose";
import { HostWatch } from "./host-watch.ts";
import { readLines } from "./ndjson.ts";
import type { GuardedFetch } from "./upstream/guarded-fetch.ts";
import { bodyOf } from "./upstream/http-response.ts";

export interface RunClientOptions {
  readonly host: URL;
  readonly ticketKey: JWK;
  /** A fetch for operator-set addresses. */
  readonly fetch: GuardedFetch;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** What the host tells while the operation goes on. */
  readonly onNote: (note: RunNote) => void;
}

type Accepted = Extract<RunEvent, { event: "accepted" }>;
export type RunResultEvent = Extract<RunEvent, { event: "result" }>;
/** Events of an operation that goes on. */
export type RunNote = Extract<RunEvent, { event: "sent" | "progress" | "log" | "notification" }>;

/** Longest event line beyond the result itself, bytes. */
const lineMargin = 64 * 1024;

/**
 * Runs one operation on a host (contract v1) and answers its `result` event.
 * @throws GatewayError the host's own error, or HOST_UNAVAILABLE; `executed` is `maybe` once the
 * host told that the operation was sent.
 */
export async function runOnHost(
  request: RunRequest,
  options: RunClientOptions,
): Promise<RunResultEvent> {
  using watch = new HostWatch(request);
  const response = await post(request, options, watch);
  const body = bodyOf(response);
  if (!response.ok || body === null) {
    throw (await readRefusal(response)).with({ server: request.server });
  }
  watch.heard(null);
  let sent = false;
  try {
    // JSON escapes can write a byte of the result as six characters.
    const maxLineBytes = request.limits.result_bytes * 6 + lineMargin;
    const result = await readLines(body, maxLineBytes, (line) => {
      const event = parseEvent(line);
      watch.heard(event?.event ?? null);
      if (event?.event === "accepted") expectSessions(request, event);
      if (event?.event === "result") return event;
      if (event?.event === "error") throw hostError(event.error, request.server);
      if (event?.event === "sent") sent = true;
      if (event !== null && isNote(event)) options.onNote(event);
      return undefined;
    });
    if (result !== undefined) return result;
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw watch.failure() ?? lost(request.server, sent, options.signal, cause);
  }
  throw watch.failure() ?? lost(request.server, sent, options.signal);
}

/** A host of an older version would serve the run without its session: it is broken off. */
function expectSessions({ session, server }: RunRequest, { sessions }: Accepted): void {
  if (session === undefined || sessions === true) return;
  const text = `The host of server '${server}' is of a version that keeps no sessions.`;
  const details = { reason: "host" };
  throw new GatewayError("SESSION_UNSUPPORTED", text, { server, executed: "maybe", details });
}

async function post(
  request: RunRequest,
  options: RunClientOptions,
  watch: HostWatch,
): Promise<Response> {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const ticket = await signTicket(options.ticketKey, {
    tenant: request.tenant,
    body,
    nowS: Math.floor(options.clock() / 1000),
  });
  try {
    return await options.fetch(new URL("/v1/run", options.host), {
      method: "POST",
      headers: { authorization: `Bearer ${ticket}`, "content-type": "application/json" },
      body,
      signal: AbortSignal.any([options.signal, watch.signal]),
    });
  } catch (cause) {
    // The request may have arrived although its answer did not, but nothing has run: the host
    // starts an operation only while its caller listens.
    throw watch.failure() ?? lost(request.server, false, options.signal, cause);
  }
}

/** An event of this contract version; null for a line of a newer one. */
function parseEvent(line: string): RunEvent | null {
  const read = runEventSchema.safeParse(JSON.parse(line));
  return read.success ? read.data : null;
}

function isNote(event: RunEvent): event is RunNote {
  return ["sent", "progress", "log", "notification"].includes(event.event);
}

function hostError(
  error: Extract<RunEvent, { event: "error" }>["error"],
  server: string,
): GatewayError {
  return new GatewayError(
    isErrorCode(error.code) ? error.code : "HOST_UNAVAILABLE",
    error.message,
    {
      server,
      executed: error.executed,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
      ...(error.retry_after_s === undefined ? {} : { retryAfterS: error.retry_after_s }),
    },
  );
}

function lost(server: string, sent: boolean, signal: AbortSignal, cause?: unknown): GatewayError {
  const executed = sent ? "maybe" : "no";
  if (signal.aborted) {
    return new GatewayError("CANCELLED", "The caller went away.", { server, executed, cause });
  }
  return new GatewayError(
    "HOST_UNAVAILABLE",
    "The connection to the host ended without a result.",
    {
      server,
      executed,
      cause,
    },
  );
}
