import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { TokenIssuer } from "../../../shared/config/issuer-schema.ts";
import type { Caller } from "../context.ts";
import type { Identify } from "./api-keys.ts";
import type { JwksCache } from "./jwks-cache.ts";
import { callerOfToken } from "./token-claims.ts";

/** Seconds that the issuer's clock and ours may differ. */
const clockToleranceS = 5;

/**
 * Tokens (JWT, RFC 7519) of the configured issuers. The issuer is looked up by the token's `iss`;
 * its entry, and never the token, says which algorithms and keys count.
 */
export function tokens(issuers: readonly TokenIssuer[], jwks: JwksCache): Identify {
  return async (token, now) => {
    const issuer = issuerOf(token, issuers);
    if (issuer === null) return null;
    const known = await verify(token, issuer, { jwks, now, refresh: false });
    // A key that is not known yet: the issuer may have changed its keys.
    return known === "unknown-key" ? refreshed(token, issuer, { jwks, now }) : known;
  };
}

async function refreshed(
  token: string,
  issuer: TokenIssuer,
  parts: { readonly jwks: JwksCache; readonly now: number },
): Promise<Caller | null> {
  const caller = await verify(token, issuer, { ...parts, refresh: true });
  return caller === "unknown-key" ? null : caller;
}

/** Unverified: it only chooses what the token is verified by. */
function issuerOf(token: string, issuers: readonly TokenIssuer[]): TokenIssuer | null {
  try {
    const { iss } = decodeJwt(token);
    const { alg } = decodeProtectedHeader(token);
    const issuer = issuers.find((entry) => entry.issuer === iss);
    return issuer?.algorithms.some((algorithm) => algorithm === alg) === true ? issuer : null;
  } catch {
    return null; // no JWT at all: refused like every other bad credential
  }
}

async function verify(
  token: string,
  issuer: TokenIssuer,
  { jwks, now, refresh }: { jwks: JwksCache; now: number; refresh: boolean },
): Promise<Caller | null | "unknown-key"> {
  const keys = await jwks.get(issuer.jwks_url, refresh);
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: issuer.issuer,
      audience: issuer.audience,
      algorithms: issuer.algorithms,
      requiredClaims: ["exp", "sub"],
      currentDate: new Date(now),
      clockTolerance: clockToleranceS,
    });
    return callerOfToken(payload, issuer);
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? "unknown-key" : null;
  }
}
