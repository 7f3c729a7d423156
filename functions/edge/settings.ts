import type { JWK } from "jose";
import { z } from "zod";
import type { CommandName } from "../../shared/config/server-config.ts";
import { commands } from "../../shared/config/server-config.ts";
import { type Deployment, deploymentSchema } from "../../shared/config/deployment.ts";
import { readSecretSettings, type SecretSettings } from "./secrets/secret-settings.ts";

/** Bindings and variables of the Worker. `GW_SECRET_*` variables are read by name. */
export type Env = Readonly<Record<string, unknown>>;

export interface Settings {
  readonly deployment: Deployment;
  /** Development: loopback Hosts only, loopback servers and submitted launches allowed. */
  readonly development: boolean;
  /** Private half of the ticket key pair (Ed25519); null where no stdio host is set up. */
  readonly ticketKey: JWK | null;
  /** Where each command runs. */
  readonly hosts: Readonly<Partial<Record<CommandName, URL>>>;
  /** `GW_SECRET_*` variables without the prefix. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly secretSettings: SecretSettings;
  /** Largest request body, bytes. */
  readonly maxBodyBytes: number;
  /** What `/ready` has to tell: one sentence for each setting that is missing or wrong. */
  readonly problems: readonly string[];
}

const secretPrefix = "GW_SECRET_";
const defaultMaxBodyBytes = 4 * 1024 * 1024;

const ticketKeySchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
});

/** The only reader of the Worker's environment. Never throws: what is wrong stands in `problems`. */
export function readSettings(env: Env, deploymentJson: unknown): Settings {
  const problems: string[] = [];
  const deployment = readDeploymentJson(deploymentJson, problems);
  const development = deployment.mode === "development";
  return {
    deployment,
    development,
    ticketKey: readTicketKey(env, problems),
    hosts: readHosts(env, deployment, problems),
    secrets: readSecrets(env),
    secretSettings: readSecretSettings(env, development, problems),
    maxBodyBytes: defaultMaxBodyBytes,
    problems,
  };
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

function readHosts(env: Env, deployment: Deployment, problems: string[]): Settings["hosts"] {
  const everywhere = env["GANGWAY_HOST_URL"];
  const hosts: Partial<Record<CommandName, URL>> = {};
  for (const command of commands) {
    const text = deployment.hosts[command] ?? everywhere;
    if (typeof text !== "string" || text === "") continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) problems.push(`The host URL for ${command} cannot be read.`);
    else hosts[command] = url;
  }
  if (Object.keys(hosts).length > 0 && env["GANGWAY_TICKET_KEY"] === undefined) {
    problems.push("A host is set but GANGWAY_TICKET_KEY is not: stdio servers cannot run.");
  }
  return hosts;
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
