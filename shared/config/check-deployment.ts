import type * as z from "zod";
import { canonicalLaunch } from "../policy/approved-launches.ts";
import type { Check } from "../policy/check.ts";
import { parseDestination } from "../policy/destinations.ts";
import { parseListedHost } from "../policy/host-list.ts";
import { parseLaunch } from "../policy/launch.ts";
import { checkPinned } from "../policy/pinning.ts";
import { checkUrl } from "../policy/url.ts";
import type { Deployment, deploymentFileSchema } from "./deployment.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { RuleId } from "./rules.ts";
import type { ServerConfig } from "./server-config.ts";
import { follow } from "./server/explain-issue.ts";
import type { TreeNode } from "./tree/node.ts";

type File = z.infer<typeof deploymentFileSchema>;
type Path = readonly (string | number)[];
type Report = (path: Path, check: Check<unknown>, rule?: RuleId) => void;

/** A deployment whose every field is right by itself. */
export interface ReadFile {
  readonly file: File;
  readonly mode: Deployment["mode"];
  readonly servers: readonly ServerConfig[];
  /** Servers of each tenant, in the order of the tenants. */
  readonly tenantServers: readonly (readonly ServerConfig[])[];
}

/** Checks what the fields of a deployment file say of one another, and what its mode forbids. */
export function checkDeployment(read: ReadFile, root: TreeNode, diagnostics: Diagnostics): void {
  const report: Report = (path, check, rule = "GW141") => {
    if (check.ok) return;
    const { place } = follow(root, path.map(String));
    diagnostics.report(rule, place, `'${path.join(".")}': ${check.message}`, check.hint);
  };
  read.file.tenants.forEach((tenant, index) => {
    const at = ["tenants", index];
    checkPlaces(tenant, at, { report, development: read.mode === "development" });
    checkLaunches(tenant, read.tenantServers[index] ?? [], { at, report });
    const known = [...read.servers, ...(read.tenantServers[index] ?? [])].map(({ name }) => name);
    tenant.keys.forEach((key, keyIndex) => {
      checkNames(key.servers ?? [], known, { at: [...at, "keys", keyIndex, "servers"], report });
    });
  });
  checkIssuers(read, report);
}

type Tenant = File["tenants"][number];

/** Loopback places are for development. */
function checkPlaces(
  { send_to, policy }: Tenant,
  at: Path,
  { report, development }: { report: Report; development: boolean },
): void {
  for (const [name, grants] of Object.entries(send_to ?? {})) {
    grants.forEach((grant, index) => {
      const text = typeof grant === "string" ? grant : grant.url;
      report([...at, "send_to", name, index], parseDestination(text, { development }));
    });
  }
  policy?.hosts?.forEach((host, index) =>
    report([...at, "policy", "hosts", index], parseListedHost(host, { development })),
  );
}

/** An approval must be of one launch; a tenant that asks for exact versions names its own exactly. */
function checkLaunches(
  { approved_launches, policy }: Tenant,
  servers: readonly ServerConfig[],
  { at, report }: { at: Path; report: Report },
): void {
  const rules = { volumeRoots: policy?.volume_roots ?? [], optIn: policy?.env_opt_in ?? [] };
  approved_launches?.forEach((launch, index) =>
    report([...at, "approved_launches", index], canonicalLaunch(launch, rules)),
  );
  if (policy?.pinning !== "strict") return;
  servers.forEach((server, index) => {
    const launch = parseLaunch(server.command ?? "", server.args, rules);
    if (launch.ok) report([...at, "mcp_servers", index], checkPinned(launch.value));
  });
}

function checkIssuers({ file, mode, servers, tenantServers }: ReadFile, report: Report): void {
  const tenants = file.tenants.map(({ id }) => id);
  const known = [...servers, ...tenantServers.flat()].map(({ name }) => name);
  const rules = { schemes: ["https"], development: mode === "development" } as const;
  file.issuers.forEach((issuer, index) => {
    const at = ["issuers", index];
    report([...at, "issuer"], checkUrl(issuer.issuer, rules));
    report([...at, "jwks_url"], checkUrl(issuer.jwks_url, rules));
    checkNames(issuer.tenants, tenants, { at: [...at, "tenants"], report });
    checkNames(issuer.servers ?? [], known, { at: [...at, "servers"], report });
  });
}

function checkNames(
  names: readonly string[],
  known: readonly string[],
  { at, report }: { at: Path; report: Report },
): void {
  names.forEach((name, index) => {
    if (known.includes(name)) return;
    report([...at, index], {
      ok: false,
      reason: "name-unknown",
      message: `There is no '${name}' in this file.`,
      hint: "Write a name that the file has; known are those written in it.",
    });
  });
}
