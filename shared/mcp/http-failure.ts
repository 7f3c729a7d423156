import type { SdkHttpError } from "@modelcontextprotocol/client";
import type { Executed } from "../errors/catalogue.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { isJsonObject } from "./json.ts";

/**
 * Statuses by which an HTTP server turns a request away before anything behind it runs: not
 * authorised, no such place, method or format, too large, too many (RFC 9110 §15.5, RFC 6585 §4).
 */
const refusals: ReadonlySet<number> = new Set([
  401, 403, 404, 405, 406, 411, 413, 415, 421, 429, 431,
]);

/**
 * What Cloudflare's network answers in place of an origin that it could not connect to: down,
 * unreachable, TLS handshake failed, certificate invalid, name not found. The request never left.
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const unreachable: ReadonlySet<number> = new Set([521, 523, 525, 526, 530]);

/** The answer to what was asked for, which was done, stands elsewhere (RFC 9110 §15.4.4). */
const seeOther = 303;

/** Whether a request answered with `status` may have run what it asked for. */
export function executedByStatus(status: number): Executed {
  if (unreachable.has(status)) return "no";
  if (status === seeOther) return "maybe";
  return refusals.has(status) || (status >= 300 && status < 400) ? "no" : "maybe";
}

export interface HttpAnswer {
  readonly status: number;
  /** Where a redirect points; its query is not shown. */
  readonly location?: string | null;
  readonly retryAfterS?: number | null;
}

/** Statuses of the 4xx class that a later try may not meet (RFC 9110 §15.5.9, RFC 8470 §5.2). */
const passing: ReadonlySet<number> = new Set([408, 425]);

/** What an HTTP answer other than success means. `target` names the server's address. */
export function httpFailure(answer: HttpAnswer, target: string): GatewayError {
  const { status } = answer;
  const executed = executedByStatus(status);
  if (status === 401 || status === 403) {
    const text = `${target} refused the credentials that were sent (HTTP ${status}).`;
    return new GatewayError("UPSTREAM_UNAUTHORIZED", text, { executed, details: { status } });
  }
  if (status >= 300 && status < 400) {
    const location = answer.location ?? null;
    const text = `${target} redirects${location === null ? "" : ` to ${location}`} (HTTP ${status}).`;
    return new GatewayError("UPSTREAM_REDIRECT", text, { executed, details: { status, location } });
  }
  if (status === 429) return rateLimited(answer, target);
  if (unreachable.has(status)) {
    const text = `No connection to ${target} could be made (HTTP ${status} from the network).`;
    return new GatewayError("CONNECTION_FAILED", text, { executed, details: { status } });
  }
  const text = `${target} answered with HTTP ${status}.`;
  const permanent = status >= 400 && status < 500 && !passing.has(status);
  const details = { status };
  return new GatewayError("UPSTREAM_HTTP_ERROR", text, { executed, permanent, details });
}

function rateLimited(answer: HttpAnswer, target: string): GatewayError {
  const seconds = answer.retryAfterS ?? null;
  return new GatewayError(
    "UPSTREAM_RATE_LIMITED",
    `${target} refused the request: too many (HTTP 429).`,
    {
      executed: "no",
      details: { status: 429, ...(seconds === null ? {} : { retry_after_s: seconds }) },
      ...(seconds === null ? {} : { retryAfterS: seconds }),
    },
  );
}

/**
 * The server turned the message away before it knew whose it was: an HTTP 400 with a JSON-RPC
 * error for no id, as servers answer a revision that they do not speak or a session that they do
 * not have. https://www.jsonrpc.org/specification#response_object
 */
export function isRefusedUnread({ status, data }: SdkHttpError): boolean {
  if (status !== 400) return false;
  const body = parseJson(typeof data.text === "string" ? data.text : "");
  return isJsonObject(body) && isJsonObject(body["error"]) && (body["id"] ?? null) === null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // an error page: it says nothing of the message
  }
}
