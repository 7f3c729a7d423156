import { type Instance, instanceName } from "./instance-name.ts";
import type { Env, Settings } from "./settings.ts";
import type { TenantHost } from "./tenant-host.ts";

/** The Durable Object of an instance. */
export type HostOf = (instance: Instance) => Promise<DurableObjectStub<TenantHost>>;

export function hostsOf(env: Env, { nameKey }: Settings): HostOf {
  return async (instance) => env.TENANT_HOSTS.getByName(await instanceName(instance, nameKey));
}
