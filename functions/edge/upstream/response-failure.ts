import type { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { httpFailure } from "../../../shared/mcp/http-failure.ts";
import { discard, readLocation, readRetryAfter } from "./http-response.ts";

/** What a response other than a success means. Lets go of its body. */
export async function responseFailure(response: Response, target: string): Promise<GatewayError> {
  await discard(response);
  const location = readLocation(response);
  const retryAfterS = readRetryAfter(response, Date.now());
  return httpFailure({ status: response.status, location, retryAfterS }, target);
}
