import { existsSync, readFileSync } from "node:fs";
import { sha256Hex } from "../../shared/api/api-key.ts";
import {
  type Deployment,
  type DevelopmentKey,
  developmentSchema,
} from "../../shared/config/deployment.ts";
import { readDeployment } from "../../shared/config/read-deployment.ts";
import { findingLine } from "../finding-line.ts";
import type { ConfigServers } from "./config-servers.ts";
import { StartError } from "./start-error.ts";

/**
 * Reads a development deployment file.
 * @throws StartError listing every finding when it cannot be used.
 */
export function readDevelopmentFile(file: string): Deployment {
  if (!existsSync(file)) throw new StartError(`There is no deployment file ${file}.`);
  const { deployment, findings } = readDeployment(readFileSync(file, "utf8"), {
    mode: "development",
  });
  if (deployment !== null) return deployment;
  const lines = findings.map((finding) => findingLine(file, finding));
  throw new StartError([`${file} cannot be used:`, ...lines].join("\n"));
}

type Tenant = Deployment["tenants"][number];

/** The deployment with the development key, and with a config's servers in its tenant. */
export async function developmentDeployment(
  deployment: Deployment,
  key: string,
  config: ConfigServers | null,
): Promise<Deployment> {
  const { tenant: id, key_id, scopes } = developmentSection(deployment);
  const own: Tenant = deployment.tenants.find((tenant) => tenant.id === id) ?? {
    id,
    keys: [],
    mcp_servers: [],
    unusable: [],
    env_files: {},
  };
  const written = [...(config?.servers ?? []), ...(config?.unusable ?? [])];
  const names = new Set(written.map(({ name }) => name));
  const tenant: Tenant = {
    ...own,
    keys: [
      ...own.keys.filter((entry) => entry.id !== key_id),
      { id: key_id, sha256: await sha256Hex(key), scopes: [...scopes] },
    ],
    mcp_servers: [
      ...own.mcp_servers.filter(({ name }) => !names.has(name)),
      ...(config?.servers ?? []),
    ],
    unusable: [...own.unusable, ...(config?.unusable ?? [])],
    env_files: { ...own.env_files, ...config?.envFiles },
  };
  return { ...deployment, tenants: [...deployment.tenants.filter((t) => t.id !== id), tenant] };
}

/** Whom the development key is for; a file without the section gets its defaults. */
export function developmentSection(deployment: Deployment): DevelopmentKey {
  return deployment.development ?? developmentSchema.parse({});
}
