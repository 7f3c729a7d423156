import type { Deployment } from "../../../shared/config/deployment.ts";
import { policyOfTenant, type TenantPolicy } from "../../../shared/config/tenant-policy.ts";
import { keptEntries } from "./kept-entries.ts";
import {
  type KeyEntry,
  readKeyEntry,
  readTenantEntry,
  type TenantEntry,
  type TenantKv,
} from "./tenant-kv.ts";

/** Keys and tenants of the deployment: those that its file holds, and those in KV. The file wins. */
export interface TenantDirectory {
  /** A key by its id; null when there is none. @throws GatewayError NOT_READY */
  key(id: string): Promise<KeyEntry | null>;
  /** Makes the tenant known to `tenant` and `policy`; false when there is none. @throws GatewayError NOT_READY */
  admit(id: string): Promise<boolean>;
  /** A tenant of the file, or one that was admitted. */
  tenant(id: string): TenantEntry | undefined;
  /** What its requests may do; nothing beyond the defaults where it is not known. */
  policy(id: string): TenantPolicy;
}

export interface DirectoryParts {
  readonly deployment: Deployment;
  /** Null where there is none. */
  readonly kv: TenantKv | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export function tenantDirectory({ deployment, kv, clock }: DirectoryParts): TenantDirectory {
  const fileKeys = new Map(
    deployment.tenants.flatMap(({ id, keys }) =>
      keys.map((key) => [key.id, { ...key, tenant: id }] as const),
    ),
  );
  const fileTenants = new Map(deployment.tenants.map((entry) => [entry.id, entry]));
  const keys = keptEntries(async (id) => (kv === null ? null : readKeyEntry(kv, id)), clock);
  const tenants = keptEntries(async (id) => (kv === null ? null : readTenantEntry(kv, id)), clock);
  const policies = new WeakMap<TenantEntry, TenantPolicy>();
  const unknown = policyOfTenant(deployment, undefined);

  function tenant(id: string): TenantEntry | undefined {
    return fileTenants.get(id) ?? tenants.last(id);
  }

  return {
    key: async (id) => fileKeys.get(id) ?? keys.fresh(id),
    admit: async (id) => fileTenants.has(id) || (await tenants.fresh(id)) !== null,
    tenant,
    policy(id) {
      const entry = tenant(id);
      if (entry === undefined) return unknown;
      const policy = policies.get(entry) ?? policyOfTenant(deployment, entry);
      policies.set(entry, policy);
      return policy;
    },
  };
}
