import type { JWK } from "jose";
import * as z from "zod";
import type { CommandName } from "../../shared/config/server-config.ts";
import { commands } from "../../shared/config/server-config.ts";
import { type Deployment, deploymentSchema } from "../../shared/config/deployment.ts";
import type { TenantPolicy } from "../../shared/config/tenant-policy.ts";
import { classifyHost } from "../../shared/policy/host-name.ts";
import {
  nothingRevoked,
  parseRevocations,
  type Revocations,
} from "../../shared/policy/revocations.ts";
import { type BudgetNamespace, isBudgetNamespace } from "./limits/budget-namespace.ts";
import { type TenantDirectory, tenantDirectory } from "./tenants/tenant-directory.ts";
import { isTenantKv, type TenantKv } from "./tenants/tenant-kv.ts";
import { isSealKeys } from "../../shared/seal/seal-keys.ts";
import type { GuardedFetch } from "./upstream/guarded-fetch.ts";
import { secretPrefix } from "../../shared/secrets/variable-names.ts";
import { readSecretSettings, type SecretSettings } from "./secrets/secret-settings.ts";

/** Bindings and variables of the Worker. `GW_SECRET_*` variables are read by name. */
export type Env = Readonly<Record<string, unknown>>;

export interface Settings {
  readonly deployment: Deployment;
  /** Development: loopback Hosts only, loopback servers and submitted launches allowed. */
  readonly development: boolean;
  /** Private half of the ticket key pair (Ed25519); null where no stdio host is set up. */
  readonly ticketKey: JWK | null;
  /** Where each command runs; `runnerUrl` is what the runner starts. */
  readonly hosts: Readonly<Partial<Record<CommandName, URL>>>;
  /** The way to the Worker that starts hosts in containers; null where none is bound. */
  readonly runner: GuardedFetch | null;
  /** `GW_SECRET_*` variables without the prefix. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly secretSettings: SecretSettings;
  readonly tenants: TenantDirectory;
  /** What the tenant's requests may do: that of `tenants`. */
  readonly policyOf: (tenant: string) => TenantPolicy;
  /** Where the use of all isolates is counted; null where there is none. */
  readonly budgets: BudgetNamespace | null;
  /** Keys of values that callers hand back, as `readSealKeys` takes them; null where none are set. */
  readonly sealKeys: string | null;
  /** Largest request body, bytes. */
  readonly maxBodyBytes: number;
  /** Longest that an operation may take, however much progress it makes, milliseconds. */
  readonly maxOperationMs: number;
  /** What `/ready` has to tell: one sentence for each setting that is missing or wrong. */
  readonly problems: readonly string[];
  /** What it tells besides: what some requests need, and the deployment serves without. */
  readonly warnings: readonly string[];
}

/** Reached by its binding alone: the name stands for no address. */
export const runnerUrl = new URL("https://runner.invalid");
/** No Docker engine runs in a container. */
const runnerCommands: ReadonlySet<CommandName> = new Set(["npx", "uvx"]);

const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultMaxOperationMs = 300_000;

const ticketKeySchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
});

/**
 * The only reader of the Worker's environment. Never throws: what is wrong stands in `problems`.
 * `clock`: milliseconds since 1970.
 */
export function readSettings(
  env: Env,
  deploymentJson: unknown,
  clock: () => number = () => Date.now(),
): Settings {
  const problems: string[] = [];
  const deployment = readDeploymentJson(deploymentJson, problems);
  const development = deployment.mode === "development";
  if (readRevocations(env["GANGWAY_REVOKED"]) === null) {
    problems.push("GANGWAY_REVOKED cannot be read: every request with a key is refused.");
  }
  const runner = readRunner(env, problems);
  const sealKeys = readSealKeysText(env, problems);
  const tenants = tenantDirectory({ deployment, kv: readTenantKv(env, problems), clock });
  return {
    deployment,
    development,
    ticketKey: readTicketKey(env, problems),
    hosts: readHosts(env, { deployment, runner, problems }),
    runner,
    secrets: readSecrets(env),
    secretSettings: readSecretSettings(env, development, problems),
    tenants,
    policyOf: (id) => tenants.policy(id),
    budgets: readBudgets(env, deployment, problems),
    sealKeys,
    maxBodyBytes: defaultMaxBodyBytes,
    maxOperationMs: defaultMaxOperationMs,
    problems,
    warnings: development || sealKeys !== null ? [] : [noSealKeys],
  };
}

const noSealKeys =
  "GANGWAY_SEAL_KEYS is not set: `options.session` and questions of servers (`input_required`) fail.";

/** What `GANGWAY_REVOKED` takes out of use, for every request; null where it cannot be read. A text is parsed once. */
export function revocationsOf(readText: () => unknown): () => Revocations | null {
  let last: { readonly text: unknown; readonly read: Revocations | null } | null = null;
  return () => {
    const text = readText();
    if (last?.text !== text || last === null) last = { text, read: readRevocations(text) };
    return last.read;
  };
}

function readRevocations(text: unknown): Revocations | null {
  if (text === undefined || text === "") return nothingRevoked;
  return typeof text === "string" ? parseRevocations(text) : null;
}

function readTenantKv(env: Env, problems: string[]): TenantKv | null {
  const binding = env["GANGWAY_TENANTS"];
  if (binding === undefined) return null;
  if (isTenantKv(binding)) return binding;
  problems.push("GANGWAY_TENANTS is no KV namespace: the tenants in it are not known.");
  return null;
}

function readBudgets(
  env: Env,
  { tenants }: Deployment,
  problems: string[],
): BudgetNamespace | null {
  const binding = env["GANGWAY_BUDGETS"];
  if (isBudgetNamespace(binding)) return binding;
  if (tenants.some(({ limits }) => limits !== undefined)) {
    problems.push("A tenant has limits, and the binding GANGWAY_BUDGETS that counts is missing.");
  }
  return null;
}

/** A deployment that nobody can call: what an unreadable file is replaced by. */
const emptyDeployment = deploymentSchema.parse({ mode: "production", version: "1.0" });

function readDeploymentJson(json: unknown, problems: string[]): Deployment {
  const read = deploymentSchema.safeParse(json);
  if (read.success) return read.data;
  problems.push(
    `The deployment file was not built for this version: ${z.prettifyError(read.error)}`,
  );
  return emptyDeployment;
}

function readTicketKey(env: Env, problems: string[]): JWK | null {
  const text = env["GANGWAY_TICKET_KEY"];
  if (typeof text !== "string" || text === "") return null;
  const read = ticketKeySchema.safeParse(parseJson(text));
  if (read.success) return read.data;
  problems.push("GANGWAY_TICKET_KEY is not an Ed25519 private key in JWK form.");
  return null;
}

function readSealKeysText(env: Env, problems: string[]): string | null {
  const text = env["GANGWAY_SEAL_KEYS"];
  if (typeof text !== "string" || text === "") return null;
  if (isSealKeys(text)) return text;
  problems.push("GANGWAY_SEAL_KEYS is not a list of `id:key`, the key 256 bits in base64url.");
  return null;
}

function readRunner(env: Env, problems: string[]): GuardedFetch | null {
  const binding = env["GANGWAY_RUNNER"];
  if (binding === undefined) return null;
  // A detached `fetch` of a binding throws.
  if (isFetcher(binding)) return (url, init) => binding.fetch(url, init);
  problems.push("GANGWAY_RUNNER is no service binding: no containers are started.");
  return null;
}

function isFetcher(binding: unknown): binding is { readonly fetch: GuardedFetch } {
  return typeof binding === "object" && binding !== null && "fetch" in binding;
}

interface HostSources {
  readonly deployment: Deployment;
  readonly runner: Settings["runner"];
  readonly problems: string[];
}

function readHosts(env: Env, { deployment, runner, problems }: HostSources): Settings["hosts"] {
  const everywhere = env["GANGWAY_HOST_URL"];
  const hosts: Partial<Record<CommandName, URL>> = {};
  for (const command of commands) {
    const text = deployment.hosts[command] ?? everywhere;
    if (typeof text !== "string" || text === "") {
      if (runner !== null && runnerCommands.has(command)) hosts[command] = runnerUrl;
      continue;
    }
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) problems.push(`The host URL for ${command} cannot be read.`);
    else if (deployment.mode === "production" && !isSafe(url)) problems.push(unsafeHost(command));
    else hosts[command] = url;
  }
  if (deployment.mode === "production") problems.push(...missingHosts(deployment, hosts));
  if (Object.keys(hosts).length > 0 && env["GANGWAY_TICKET_KEY"] === undefined) {
    problems.push("A host is set but GANGWAY_TICKET_KEY is not: stdio servers cannot run.");
  }
  return hosts;
}

/** Requests to a host hold secrets, and an edge on the Internet reaches public hosts alone. */
function isSafe({ protocol, hostname }: URL): boolean {
  const host = classifyHost(hostname);
  const isPublic = host.kind === "name" || (host.kind === "address" && host.address === "public");
  return protocol === "https:" && isPublic;
}

function unsafeHost(command: CommandName): string {
  return `The host URL for ${command} is not used: in production it must be https, and public.`;
}

function missingHosts(deployment: Deployment, hosts: Settings["hosts"]): string[] {
  const servers = [deployment, ...deployment.tenants].flatMap((owner) => owner.mcp_servers);
  const missing = commands.filter(
    (name) =>
      hosts[name] === undefined &&
      servers.some(({ command, disabled }) => command === name && !disabled),
  );
  return missing.map(
    (name) => `${name} servers are configured, and there is no host: set GANGWAY_HOST_URL.`,
  );
}

function readSecrets(env: Env): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith(secretPrefix) && typeof value === "string") {
      secrets.set(name.slice(secretPrefix.length), value);
    }
  }
  return secrets;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported by the caller as a key of the wrong form
  }
}
