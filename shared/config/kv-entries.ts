import type { Deployment } from "./deployment.ts";

/** One pair of a KV namespace, as `wrangler kv bulk put` takes them. */
export interface KvEntry {
  readonly key: string;
  readonly value: string;
}

/**
 * The tenants of a built deployment as KV holds them for a Worker that binds `GANGWAY_TENANTS`:
 * `tenant:<id>` without its keys, and `key:<id>` for each of them.
 */
export function kvEntries({ tenants }: Pick<Deployment, "tenants">): readonly KvEntry[] {
  return tenants.flatMap(({ keys, ...tenant }) => [
    { key: `tenant:${tenant.id}`, value: JSON.stringify(tenant) },
    ...keys.map((key) => ({
      key: `key:${key.id}`,
      value: JSON.stringify({ ...key, tenant: tenant.id }),
    })),
  ]);
}
