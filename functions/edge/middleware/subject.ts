import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Caller } from "../context.ts";

/**
 * On whose behalf a request is made: the token's own subject, else what the request says, else
 * the key.
 * @throws GatewayError REQUEST_INVALID when the request names another than the token does: a
 * person's token must not reach what another person's calls left behind
 */
export function subjectOf(caller: Caller, asked: string | undefined): string {
  if (caller.subject === null) return asked ?? caller.keyId;
  if (asked === undefined) return caller.subject;
  throw new GatewayError("REQUEST_INVALID", "The token names its subject: the request may not.", {
    hint: "Leave `options.subject` out, or call with an API key.",
  });
}
