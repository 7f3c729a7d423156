import * as z from "zod";
import { scopes } from "../api/scopes.ts";
import { parsePrewarmSpec } from "../policy/prewarm-spec.ts";
import { issuerSchema } from "./issuer-schema.ts";
import {
  approvedLaunchSchema,
  limitsSchema,
  policySchema,
  readBy,
  sendToSchema,
} from "./policy-schema.ts";
import { keyIdPattern, narrowingFields } from "./key-fields.ts";
import { serverConfigSchema } from "./server-config.ts";

/** `deployment` and `_platform` name the operator's own namespaces. */
const tenantIdPattern = /^(?!deployment$)[a-z][a-z0-9-]{1,30}$/;

/** One API key: its hash, never the key. */
export const apiKeySchema = z.strictObject({
  id: z
    .string()
    .regex(keyIdPattern)
    .meta({ description: "The key's id: 4 to 16 small letters and digits." }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "SHA-256 of the whole key, 64 lower-case hexadecimal digits." }),
  scopes: z.array(z.enum(scopes)).min(1).meta({ description: "What the key may do." }),
  note: z.string().optional().meta({ description: "Who holds the key." }),
  expires: z.iso
    .datetime({ offset: true })
    .or(z.iso.date())
    .optional()
    .meta({ description: "Date or time (ISO 8601) from which the key is refused." }),
  ...narrowingFields,
});

const envFiles = z.record(z.string(), z.string()).default({});

export const tenantSchema = z.strictObject({
  id: z
    .string()
    .regex(tenantIdPattern)
    .meta({ description: "The tenant's id: a small letter, then small letters, digits, hyphens." }),
  keys: z.array(apiKeySchema).default([]).meta({ description: "The tenant's API keys." }),
  mcp_servers: z
    .array(serverConfigSchema)
    .default([])
    .meta({ description: "Servers that the tenant's keys may use." }),
  env_files: envFiles.meta({
    description: "Texts of the env files that the servers name, filled in by the build.",
  }),
  policy: policySchema.optional().meta({
    description: "What servers of submitted configs may be. Default in production: none.",
  }),
  send_to: sendToSchema.optional().meta({
    description:
      "Where stored secrets may go when a submitted config refers to them, by name. Default in production: nowhere.",
  }),
  approved_launches: z.array(approvedLaunchSchema).optional().meta({
    description:
      "Launches that may have stored secrets when a request submits exactly them. Default in production: the tenant's own servers.",
  }),
  limits: limitsSchema.optional().meta({ description: "Upper bounds of use. Default: none." }),
});

const hostUrl = z.url({ protocol: /^https?$/ });

export const hostsSchema = z.strictObject({
  npx: hostUrl.optional().meta({ description: "Host that runs npx servers." }),
  uvx: hostUrl.optional().meta({ description: "Host that runs uvx servers." }),
  docker: hostUrl.optional().meta({ description: "Host that runs docker servers." }),
});

export const corsSchema = z.strictObject({
  origins: z
    .array(z.string().regex(/^https?:\/\/[^/\s*?#@]+$/))
    .default([])
    .meta({ description: "Origins whose browsers may call, written out one by one." }),
});

/** What `npm start` makes a key for; only development files may hold it. */
export const developmentSchema = z.strictObject({
  tenant: z
    .string()
    .regex(tenantIdPattern)
    .default("dev")
    .meta({ description: "Tenant of the development key. Default dev." }),
  key_id: z
    .string()
    .regex(keyIdPattern)
    .default("devkey")
    .meta({ description: "Id of the development key. Default devkey." }),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes])
    .meta({ description: "Scopes of the development key. Default all." }),
});
export type DevelopmentKey = z.infer<typeof developmentSchema>;

const ownHostSchema = z
  .string()
  .regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/)
  .meta({
    description: "A host name in small letters, `name:port`, or `.zone` for all names below one.",
  });

const fields = {
  version: z.literal("1.0").meta({ description: "Version of the file's form." }),
  mcp_servers: z
    .array(serverConfigSchema)
    .default([])
    .meta({ description: "Servers that every tenant has." }),
  env_files: envFiles.meta({
    description: "Texts of the env files that the servers name, filled in by the build.",
  }),
  tenants: z
    .array(tenantSchema)
    .default([])
    .meta({ description: "Customers, each with its keys and servers." }),
  issuers: z
    .array(issuerSchema)
    .default([])
    .meta({ description: "Issuers of tokens (JWT) that are taken in place of API keys." }),
  cors: corsSchema
    .default({ origins: [] })
    .meta({ description: "Cross-origin requests. Default none." }),
  hostnames: z.array(ownHostSchema).default([]).meta({
    description:
      "Names under which the deployment is reached: no server may be there, since Gangway would call itself. Default: the name that each request came to.",
  }),
  prewarm: z.array(readBy(parsePrewarmSpec)).default([]).meta({
    description:
      "Packages that are installed when the host's image is built, as `npm:NAME@VERSION` or `pypi:NAME==VERSION`. Default none.",
  }),
  hosts: hostsSchema
    .default({})
    .meta({ description: "Where each command runs: the URL of a host." }),
};

/** The deployment file as it is written. */
export const deploymentFileSchema = z.strictObject({
  ...fields,
  development: developmentSchema
    .optional()
    .meta({ description: "Development files only: the key that npm start makes." }),
});

/** An entry with errors: what calls of it are told. Made by who builds the deployment, never written by hand. */
const unusableServer = z.object({
  name: z.string(),
  findings: z.array(
    z.object({
      id: z.string(),
      severity: z.enum(["error", "warning", "info"]),
      message: z.string(),
      hint: z.string(),
      pointer: z.string(),
      line: z.number().nullable(),
      column: z.number().nullable(),
      end_line: z.number().nullable(),
      end_column: z.number().nullable(),
      docs: z.string(),
    }),
  ),
});
export type UnusableServer = z.infer<typeof unusableServer>;

const unusable = z.array(unusableServer).default([]);

/** A tenant of it; what KV holds under `tenant:<id>`. */
export const builtTenantSchema = z.looseObject({ ...tenantSchema.shape, unusable });

/**
 * A deployment as the Workers load it: what `readDeployment` returned, written as JSON. Loose, so
 * that a newer build's additions do not stop an older Worker.
 */
export const deploymentSchema = z.looseObject({
  mode: z.enum(["production", "development"]),
  ...fields,
  unusable,
  tenants: z.array(builtTenantSchema).default([]),
  development: developmentSchema.optional(),
});
export type Deployment = z.infer<typeof deploymentSchema>;
