import { parseApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import type { Caller } from "../context.ts";
import { equalDigests } from "./equal-digests.ts";
import type { TenantDirectory } from "../tenants/tenant-directory.ts";
import type { KeyEntry } from "../tenants/tenant-kv.ts";

/** Whom a credential stands for; null for one that does not count. */
export type Identify = (token: string, now: number) => Promise<Caller | null>;

/** Compared with where no key is stored, so that an unknown key id costs what a wrong key costs. */
const noKey = "0".repeat(64);

/** API keys, known to the deployment by their hashes. */
export function apiKeys(tenants: Pick<TenantDirectory, "key">): Identify {
  return async (token, now) => {
    const [parts, digest] = await Promise.all([parseApiKey(token), sha256Hex(token)]);
    const stored = parts === null ? null : await tenants.key(parts.keyId);
    const matches = equalDigests(digest, stored?.sha256 ?? noKey);
    if (stored === null || !matches) return null;
    return isExpired(stored, now) ? null : callerOf(stored);
  };
}

/** From the start of its day or time on. */
function isExpired({ expires }: KeyEntry, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}

function callerOf(key: KeyEntry): Caller {
  return {
    tenant: key.tenant,
    keyId: key.id,
    subject: null,
    scopes: new Set(key.scopes),
    servers: key.servers ?? null,
    tools: key.tools ?? null,
  };
}
