import type * as z from "zod";
import { checkDeployment } from "./check-deployment.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { checkText } from "./decode-text.ts";
import {
  apiKeySchema,
  corsSchema,
  deploymentFileSchema,
  developmentSchema,
  hostsSchema,
  tenantSchema,
  type Deployment,
} from "./deployment.ts";
import type { DockerLaunchRules } from "../policy/docker.ts";
import { Diagnostics, toFindings } from "./diagnostics.ts";
import { readServerList } from "./dialects/native.ts";
import type { Finding } from "./finding.ts";
import { fileLimits } from "./limits.ts";
import { parseText, syntaxOf } from "./parse-text.ts";
import type { ServerConfig } from "./server-config.ts";
import { defaultCheckOptions } from "./server/check-options.ts";
import { reportSchemaIssues } from "./server/schema-issues.ts";
import { issuerSchema } from "./issuer-schema.ts";
import { approvedLaunchSchema, grantSchema, limitsSchema, policySchema } from "./policy-schema.ts";
import { finishServer } from "./server/finish-server.ts";
import { LineIndex } from "./tree/line-index.ts";
import { child, entryOf, keyPlace, mapAt, plain, text, type TreeNode } from "./tree/node.ts";

export interface DeploymentReading {
  /** Plain data to be written as JSON; null when any finding is an error. */
  readonly deployment: Deployment | null;
  readonly findings: readonly Finding[];
}

/**
 * Reads a deployment file (YAML or JSON), strictly: an operator's file is taken whole or not at all.
 * `mode` tells which of the two files it is; the file itself cannot say.
 */
export function readDeployment(
  source: string,
  options: { readonly mode: Deployment["mode"] },
): DeploymentReading {
  const diagnostics = new Diagnostics();
  const root = checkText(source, fileLimits, diagnostics)
    ? parseText(source, syntaxOf(source, undefined), fileLimits, diagnostics).root
    : null;
  const deployment = root === null ? null : readRoot(root, options.mode, diagnostics);
  return {
    deployment: diagnostics.blocked ? null : deployment,
    findings: toFindings(diagnostics.list, new LineIndex(source), {}),
  };
}

function readRoot(
  root: TreeNode,
  mode: Deployment["mode"],
  diagnostics: Diagnostics,
): Deployment | null {
  if (mode === "production") refuseDevelopment(root, diagnostics);
  const servers = (node: TreeNode) => readServers(node, mode, diagnostics);
  const shared = servers(root);
  const tenants = tenantNodes(root).map(servers);
  checkIds(root, diagnostics);
  const result = deploymentFileSchema.safeParse(plain(withoutServers(root)));
  if (!result.success) {
    reportSchemaIssues(result.error.issues, root, { shapeAt, diagnostics });
    return null;
  }
  const read = { file: result.data, mode, servers: shared, tenantServers: tenants };
  checkDeployment(read, root, diagnostics);
  return {
    mode,
    ...result.data,
    mcp_servers: shared,
    unusable: [],
    tenants: result.data.tenants.map((tenant, index) => ({
      ...tenant,
      mcp_servers: tenants[index] ?? [],
      unusable: [],
    })),
  };
}

function refuseDevelopment(root: TreeNode, diagnostics: Diagnostics): void {
  const entry = entryOf(root, "development");
  if (entry === undefined) return;
  diagnostics.report(
    "GW140",
    keyPlace(entry),
    "A production deployment file may not hold `development`.",
  );
}

function tenantNodes(root: TreeNode): readonly TreeNode[] {
  const tenants = child(root, "tenants");
  return tenants?.kind === "list" ? tenants.items : [];
}

/** The servers of one level, checked like those of any config; the level's names are unique. */
function readServers(
  level: TreeNode,
  mode: Deployment["mode"],
  diagnostics: Diagnostics,
): ServerConfig[] {
  const list = child(level, "mcp_servers");
  if (list === undefined) return [];
  const drafts = readServerList(list, "mcp_servers", diagnostics);
  const launchRules = { ...launchRulesOf(level), development: mode === "development" };
  const servers = drafts.map((draft) =>
    finishServer(draft, { ...defaultCheckOptions, mode, source: "operator", launchRules }),
  );
  const standing = checkDuplicates(servers, []);
  for (const server of servers) diagnostics.list.push(...server.draft.diagnostics.list);
  return standing.flatMap(({ config }) => config ?? []);
}

/** What a tenant's own policy allows to its launches; what is wrong with it is told elsewhere. */
function launchRulesOf(level: TreeNode): DockerLaunchRules {
  const node = child(level, "policy");
  const policy = node === undefined ? null : policySchema.safeParse(plain(node));
  if (policy?.success !== true) return {};
  return { volumeRoots: policy.data.volume_roots, optIn: policy.data.env_opt_in };
}

/** The file without its server lists, which have been read by then. */
function withoutServers(root: TreeNode): TreeNode {
  if (root.kind !== "map") return root;
  const kept = root.entries.filter(({ key }) => key !== "mcp_servers");
  return mapAt(
    root,
    kept.map((entry) => {
      const { value } = entry;
      if (entry.key !== "tenants" || value.kind !== "list") return entry;
      return { ...entry, value: { ...value, items: value.items.map(withoutServers) } };
    }),
  );
}

/**
 * Tenant ids are unique, and ids of keys and issuers in the whole file: a key is looked up by its
 * id alone, and revoked by it.
 */
function checkIds(root: TreeNode, diagnostics: Diagnostics): void {
  const tenants = tenantNodes(root);
  checkUnique(tenants, "tenant", diagnostics);
  const keys = [...tenants.map((tenant) => child(tenant, "keys")), child(root, "issuers")];
  checkUnique(
    keys.flatMap((list) => (list?.kind === "list" ? list.items : [])),
    "key",
    diagnostics,
  );
}

function checkUnique(nodes: readonly TreeNode[], what: string, diagnostics: Diagnostics): void {
  const seen = new Set<string>();
  for (const node of nodes) {
    const id = child(node, "id");
    const value = text(id);
    if (id === undefined || value === undefined) continue;
    if (seen.has(value)) diagnostics.report("GW506", id, `Another ${what} has the id '${value}'.`);
    seen.add(value);
  }
}

/** The fields of the file's objects, for suggestions and hints. */
function shapeAt(path: readonly string[]): Shape {
  const [first, , third] = path;
  if (first === undefined) return deploymentFileSchema.shape;
  if (first === "tenants") return (tenantParts[third ?? ""] ?? tenantSchema).shape;
  return parts[first]?.shape ?? {};
}

type Shape = Readonly<Record<string, z.ZodType>>;

const parts: Readonly<Record<string, { readonly shape: Shape } | undefined>> = {
  hosts: hostsSchema,
  development: developmentSchema,
  cors: corsSchema,
  issuers: issuerSchema,
};

const tenantParts: typeof parts = {
  keys: apiKeySchema,
  policy: policySchema,
  limits: limitsSchema,
  approved_launches: approvedLaunchSchema,
  send_to: grantSchema,
};
