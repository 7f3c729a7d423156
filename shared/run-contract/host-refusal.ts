import { catalogue } from "../errors/catalogue.ts";
import { GatewayError } from "../errors/gateway-error.ts";

/** The error that a host answered in place of a run's events; nothing was run. */
export async function readRefusal(answer: Response): Promise<GatewayError> {
  const text = await answer.text().catch(() => "");
  const code = /"code":\s*"([A-Z_]+)"/.exec(text)?.[1] ?? "";
  const retryAfterS = Number(answer.headers.get("retry-after") ?? Number.NaN);
  return new GatewayError(
    code === "CAPACITY" ? "CAPACITY" : "HOST_UNAVAILABLE",
    `The host refused the run (${code === "" ? `HTTP ${answer.status}` : code}).`,
    {
      details: { status: answer.status, ...(code === "" ? {} : { host_code: code }) },
      ...(Number.isFinite(retryAfterS) ? { retryAfterS } : {}),
      ...ofTicket(code),
    },
  );
}

/** What is wrong with a ticket stays wrong until the operator mends it, and has a remedy of its own. */
function ofTicket(code: string): { hint: string; permanent: true } | null {
  if (code !== "TENANT_MISMATCH" && code !== "TICKET_INVALID") return null;
  return { hint: catalogue[code].hint, permanent: true };
}
