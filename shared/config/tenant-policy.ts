import { canonicalLaunch, type ApprovedLaunch } from "../policy/approved-launches.ts";
import type { Check } from "../policy/check.ts";
import { parseDestination } from "../policy/destinations.ts";
import type { DockerLaunchRules } from "../policy/docker.ts";
import { parseListedHost } from "../policy/host-list.ts";
import { parsePackagePattern } from "../policy/package-lists.ts";
import type { SecretGrant, SecretRules } from "../policy/secret-grants.ts";
import type { SubmittedRules } from "../policy/submitted.ts";
import type { Deployment } from "./deployment.ts";
import type { ServerConfig } from "./server-config.ts";

type Tenant = Deployment["tenants"][number];
type Limits = NonNullable<Tenant["limits"]>;

/** What a tenant's requests may do, in the form that the deciders take. */
export interface TenantPolicy {
  readonly submitted: SubmittedRules;
  /** Whether servers that the operator wrote must name exact versions. */
  readonly ownPinning: "strict" | "warn";
  /** Null: a submitted server may have every secret (development without rules of its own). */
  readonly secrets: SecretRules | null;
  readonly docker: DockerLaunchRules;
  /** Reserved names of environment variables that are set free. */
  readonly envOptIn: readonly string[];
  /** How the packages of stdio servers are installed. */
  readonly install: InstallRules;
  readonly limits: Limits;
}

export interface InstallRules {
  readonly allowScripts: boolean;
  /** Milliseconds; null = versions of any age. */
  readonly minReleaseAgeMs: number | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The policy of a tenant. In production nothing is allowed to submitted servers that is not
 * written; in development what is not written is open, and what is written holds.
 */
export function tenantPolicy(deployment: Deployment, tenantId: string): TenantPolicy {
  const tenant = deployment.tenants.find(({ id }) => id === tenantId);
  return policyOfTenant(deployment, tenant);
}

/** The same of a tenant's own entry, wherever it is kept; undefined for a tenant without one. */
export function policyOfTenant(
  deployment: Deployment,
  tenant: Deployment["tenants"][number] | undefined,
): TenantPolicy {
  const development = deployment.mode === "development";
  const policy = tenant?.policy;
  const docker = {
    development,
    volumeRoots: policy?.volume_roots ?? [],
    optIn: policy?.env_opt_in ?? [],
  };
  const unwritten = development ? null : [];
  return {
    submitted: {
      hosts: readAll(policy?.hosts, (text) => parseListedHost(text, { development })) ?? unwritten,
      packages: readAll(policy?.packages, parsePackagePattern) ?? unwritten,
      pinning: policy?.pinning ?? (development ? "warn" : "strict"),
    },
    ownPinning: policy?.pinning ?? "warn",
    secrets: secretRules(deployment, tenant, docker),
    docker,
    envOptIn: policy?.env_opt_in ?? [],
    install: {
      allowScripts: policy?.allow_scripts ?? false,
      minReleaseAgeMs: releaseAgeMs(policy?.min_release_age_days),
    },
    limits: tenant?.limits ?? {},
  };
}

function releaseAgeMs(days: number | undefined): number | null {
  return days === undefined ? null : Math.ceil(days * dayMs);
}

function secretRules(
  deployment: Deployment,
  tenant: Tenant | undefined,
  docker: DockerLaunchRules,
): SecretRules | null {
  const development = deployment.mode === "development";
  const isWritten = tenant?.send_to !== undefined || tenant?.approved_launches !== undefined;
  if (development && !isWritten) return null;
  return {
    sendTo: new Map(
      Object.entries(tenant?.send_to ?? {}).map(([name, grants]) => [
        name,
        readGrants(grants, development),
      ]),
    ),
    approvals: [
      ...(tenant?.approved_launches ?? []),
      ...deployment.mcp_servers,
      ...(tenant?.mcp_servers ?? []),
    ].flatMap((fields) => approvalOf(fields, docker) ?? []),
  };
}

type GrantTexts = NonNullable<Tenant["send_to"]>[string];

function readGrants(grants: GrantTexts, development: boolean): SecretGrant[] {
  return grants.flatMap((grant) => {
    const { url, allow_query } =
      typeof grant === "string" ? { url: grant, allow_query: false } : grant;
    const place = parseDestination(url, { development });
    return place.ok ? [{ ...place.value, allowQuery: allow_query }] : [];
  });
}

/** An operator's own server approves its launch, where it is one that can be approved. */
function approvalOf(
  fields: Pick<
    ServerConfig,
    "command" | "args" | "env" | "env_file" | "config" | "encoding" | "inputs"
  >,
  docker: DockerLaunchRules,
): ApprovedLaunch | null {
  const launch = canonicalLaunch(fields, docker);
  return launch.ok ? { canonical: launch.value, inputs: fields.inputs } : null;
}

/** The entries that can be read; the deployment's reader has refused a file with others. */
function readAll<Value>(
  texts: readonly string[] | undefined,
  read: (text: string) => Check<Value>,
): Value[] | null {
  if (texts === undefined) return null;
  return texts.flatMap((text) => {
    const entry = read(text);
    return entry.ok ? [entry.value] : [];
  });
}
