import type { MiddlewareHandler } from "hono";
import { parseApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import type { Scope } from "../../../shared/api/scopes.ts";
import type { Deployment } from "../../../shared/config/deployment.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AppContext, AppEnv, Caller, Clock } from "../context.ts";
import { requireScope } from "./require-scope.ts";

interface StoredKey {
  readonly sha256: string;
  /** Milliseconds since 1970; null = never. */
  readonly expiresAt: number | null;
  readonly caller: Caller;
}

/** Finds out who sent a request, and puts the caller into its context. */
export type Authenticate = (c: AppContext) => Promise<Caller>;

/** Compared with where no key is stored, so that an unknown key id costs what a wrong key costs. */
const noKey = "0".repeat(64);

/**
 * API keys, known to the deployment by their hashes.
 * The promise rejects with GatewayError UNAUTHENTICATED, whose body never tells why.
 */
export function apiKeys(deployment: Deployment, clock: Clock): Authenticate {
  const keys = storedKeys(deployment);
  return async (c) => {
    const caller = await identify(keys, c.req.header("authorization"), clock());
    if (caller === null) {
      throw new GatewayError("UNAUTHENTICATED", "A valid API key is required.");
    }
    c.set("caller", caller);
    return caller;
  };
}

/** Lets only requests pass whose caller has `scope`. */
export function auth(authenticate: Authenticate, scope: Scope): MiddlewareHandler<AppEnv> {
  return async function authMiddleware(c, next) {
    requireScope(await authenticate(c), scope);
    await next();
  };
}

function storedKeys(deployment: Deployment): ReadonlyMap<string, StoredKey> {
  return new Map(
    deployment.tenants.flatMap((tenant) =>
      tenant.keys.map((key) => [
        key.id,
        {
          sha256: key.sha256,
          expiresAt: key.expires === undefined ? null : Date.parse(key.expires),
          caller: { tenant: tenant.id, keyId: key.id, scopes: new Set(key.scopes) },
        },
      ]),
    ),
  );
}

async function identify(
  keys: ReadonlyMap<string, StoredKey>,
  header: string | undefined,
  now: number,
): Promise<Caller | null> {
  const token = /^Bearer ([^\s]+)$/i.exec(header ?? "")?.[1] ?? "";
  const parts = await parseApiKey(token);
  const stored = parts === null ? undefined : keys.get(parts.keyId);
  const matches = equalDigests(await sha256Hex(token), stored?.sha256 ?? noKey);
  if (stored === undefined || !matches) return null;
  return stored.expiresAt !== null && stored.expiresAt <= now ? null : stored.caller;
}

/** Compares two hex digests of equal length without stopping at the first difference. */
function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
