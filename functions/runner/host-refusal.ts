import { GatewayError } from "../../shared/errors/gateway-error.ts";

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
      ...(Number.isInteger(retryAfterS) ? { retryAfterS } : {}),
    },
  );
}
