import * as z from "zod";
import {
  apiKeySchema,
  builtTenantSchema,
  type Deployment,
} from "../../../shared/config/deployment.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** The KV namespace that holds tenants beside the deployment file. */
export interface TenantKv {
  get(key: string): Promise<string | null>;
}

export function isTenantKv(binding: unknown): binding is TenantKv {
  return (
    typeof binding === "object" &&
    binding !== null &&
    "get" in binding &&
    typeof binding.get === "function"
  );
}

/** `key:<id>`: an entry of a tenant's `keys`, and whose it is. Loose: a newer build may add to it. */
const keyEntrySchema = z.looseObject({ ...apiKeySchema.shape, tenant: z.string() });
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** `tenant:<id>`: a tenant as a built deployment has it; keys in it do not count. */
export type TenantEntry = Deployment["tenants"][number];

/** @throws GatewayError NOT_READY when KV cannot be read, or what it holds */
export function readKeyEntry(kv: TenantKv, id: string): Promise<KeyEntry | null> {
  return readEntry(kv, { key: `key:${id}`, id }, keyEntrySchema);
}

/** @throws GatewayError NOT_READY when KV cannot be read, or what it holds */
export function readTenantEntry(kv: TenantKv, id: string): Promise<TenantEntry | null> {
  return readEntry(kv, { key: `tenant:${id}`, id }, builtTenantSchema);
}

async function readEntry<Entry extends { readonly id: string }>(
  kv: TenantKv,
  { key, id }: { readonly key: string; readonly id: string },
  schema: z.ZodType<Entry>,
): Promise<Entry | null> {
  const text = await kv.get(key).catch((cause: unknown) => {
    throw notReady("The tenants cannot be read from KV.", cause);
  });
  if (text === null) return null;
  const entry = schema.safeParse(parseJson(text));
  // An entry under another one's name would give its rights away.
  if (entry.success && entry.data.id === id) return entry.data;
  throw notReady(`The entry '${key}' in KV has not the form of this version.`, entry.error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // has not the form, like every other wrong value
  }
}

function notReady(message: string, cause: unknown): GatewayError {
  return new GatewayError("NOT_READY", message, { retryAfterS: 5, cause });
}
