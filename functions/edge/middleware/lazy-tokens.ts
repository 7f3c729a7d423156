import type { Deps } from "../context.ts";
import { guardedFetch } from "../upstream/guarded-fetch.ts";
import type { Identify } from "./api-keys.ts";
import { createJwksCache } from "./jwks-cache.ts";

/** Tokens of the deployment's issuers; an isolate that sees none never evaluates what checks them. */
export function lazyTokens({
  settings: { deployment, development },
  fetch,
  clock,
}: Pick<Deps, "settings" | "fetch" | "clock">): Identify {
  const jwks = createJwksCache({ fetch: guardedFetch({ fetch, development }), clock });
  const { issuers } = deployment;
  return async (token, now) => {
    if (issuers.length === 0) return null;
    const { tokens } = await import("./tokens.ts");
    return tokens(issuers, jwks)(token, now);
  };
}
