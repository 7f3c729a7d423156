import { parseApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import type { Deployment } from "../../../shared/config/deployment.ts";
import type { Caller } from "../context.ts";

interface StoredKey {
  readonly sha256: string;
  /** Milliseconds since 1970; null = never. */
  readonly expiresAt: number | null;
  readonly caller: Caller;
}

/** Whom a credential stands for; null for one that does not count. */
export type Identify = (token: string, now: number) => Promise<Caller | null>;

/** Compared with where no key is stored, so that an unknown key id costs what a wrong key costs. */
const noKey = "0".repeat(64);

/** API keys, known to the deployment by their hashes. */
export function apiKeys(deployment: Deployment): Identify {
  const keys = storedKeys(deployment);
  return async (token, now) => {
    const parts = await parseApiKey(token);
    const stored = parts === null ? undefined : keys.get(parts.keyId);
    const matches = equalDigests(await sha256Hex(token), stored?.sha256 ?? noKey);
    if (stored === undefined || !matches) return null;
    return stored.expiresAt !== null && stored.expiresAt <= now ? null : stored.caller;
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
          caller: {
            tenant: tenant.id,
            keyId: key.id,
            subject: null,
            scopes: new Set(key.scopes),
            servers: key.servers ?? null,
            tools: key.tools ?? null,
          },
        },
      ]),
    ),
  );
}

/** Compares two hex digests of equal length without stopping at the first difference. */
function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
