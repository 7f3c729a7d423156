import type { MiddlewareHandler } from "hono";
import type { Scope } from "../../../shared/api/scopes.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Revocations } from "../../../shared/policy/revocations.ts";
import type { AppContext, AppEnv, Caller, Clock } from "../context.ts";
import type { TenantDirectory } from "../tenants/tenant-directory.ts";
import type { Identify } from "./api-keys.ts";
import { requireScope } from "./require-scope.ts";

/** Finds out who sent a request, and puts the caller into its context. */
export type Authenticate = (c: AppContext) => Promise<Caller>;

export interface Credentials {
  readonly keys: Identify;
  /** Tokens of configured issuers. */
  readonly tokens: Identify;
  /** Null: it cannot be read. */
  readonly revocations: () => Revocations | null;
  readonly tenants: Pick<TenantDirectory, "admit">;
  readonly clock: Clock;
}

/** Longest credential that is looked at, characters. */
const longestToken = 16_384;
/** A compact JWS; API keys have no dots. */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Who calls, by API key or token.
 * The promise rejects with GatewayError UNAUTHENTICATED, whose body never tells why, and with
 * NOT_READY while the list of revocations, an issuer's keys or the tenants in KV cannot be read.
 */
export function authenticator(credentials: Credentials): Authenticate {
  return async (c) => {
    const revoked = requireRevocations(credentials.revocations());
    const caller = await identify(c.req.header("authorization"), credentials);
    if (caller === null || revoked.keys.has(caller.keyId) || revoked.tenants.has(caller.tenant)) {
      throw unauthenticated();
    }
    if (!(await credentials.tenants.admit(caller.tenant))) throw unauthenticated();
    c.set("caller", caller);
    return caller;
  };
}

function unauthenticated(): GatewayError {
  return new GatewayError("UNAUTHENTICATED", "A valid API key is required.");
}

/** Lets only requests pass whose caller has `scope`. */
export function auth(authenticate: Authenticate, scope: Scope): MiddlewareHandler<AppEnv> {
  return async function authMiddleware(c, next) {
    requireScope(await authenticate(c), scope);
    await next();
  };
}

/**
 * What is revoked. While that cannot be read nobody is let in: it may be the very key.
 * @throws GatewayError NOT_READY
 */
export function requireRevocations(revocations: Revocations | null): Revocations {
  if (revocations !== null) return revocations;
  throw new GatewayError("NOT_READY", "GANGWAY_REVOKED cannot be read: no request is served.");
}

function identify(
  header: string | undefined,
  { keys, tokens, clock }: Credentials,
): Promise<Caller | null> {
  const token = /^Bearer ([^\s]+)$/i.exec(header ?? "")?.[1] ?? "";
  const isToken = token.length <= longestToken && tokenPattern.test(token);
  return isToken ? tokens(token, clock()) : keys(token, clock());
}
