import { parseEnvFile } from "../../../shared/config/env-file.ts";
import {
  expandReferences,
  findReferences,
  type Reference,
} from "../../../shared/config/references.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { createRedactor, type Redactor } from "../../../shared/secrets/redact.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";

/** A server with every reference replaced by its value. Holds secrets: never logged or answered. */
export interface ResolvedServer {
  readonly server: UsableServer;
  /** The config with references expanded. */
  readonly config: ServerConfig;
  /** The env file's variables; empty without one. */
  readonly envFile: Readonly<Record<string, string>>;
  /** Replaces this server's secret values in any text that leaves. */
  readonly redactor: Redactor;
}

/**
 * Fetches the values of the server's references, once, and only of this server.
 * @throws GatewayError REFERENCE_UNRESOLVED listing every missing name with its places,
 * ENV_FILE_NOT_PROVIDED, SECRET_PROVIDER_FAILED
 */
export async function resolve(
  server: UsableServer,
  inputs: Readonly<Record<string, string>>,
  context: OperationContext,
): Promise<ResolvedServer> {
  const references = findReferences(server.config, "");
  const envFile = readEnvFile(server);
  const values = await fetchValues(server, references, inputs, context);
  const missing = references.filter(({ name }) => (values.get(name) ?? "") === "");
  if (missing.length > 0) throw unresolved(server, missing);
  return {
    server,
    config: expandReferences(server.config, values),
    envFile,
    redactor: createRedactor(new Map([...Object.entries(envFile), ...values])),
  };
}

function readEnvFile(server: UsableServer): Record<string, string> {
  const path = server.config.env_file;
  if (path === undefined) return {};
  const text = Object.hasOwn(server.envFiles, path) ? server.envFiles[path] : undefined;
  if (text !== undefined) return { ...parseEnvFile(text).values };
  throw new GatewayError(
    "ENV_FILE_NOT_PROVIDED",
    `Server '${server.name}' names the env file '${path}', whose text is not in the request.`,
    { server: server.name, details: { path } },
  );
}

async function fetchValues(
  server: UsableServer,
  references: readonly Reference[],
  inputs: Readonly<Record<string, string>>,
  context: OperationContext,
): Promise<Map<string, string>> {
  const names = new Set(references.map(({ name }) => name));
  const values = new Map<string, string>();
  for (const name of names) {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (given !== undefined && takesInput(server, name)) values.set(name, given);
  }
  const stored = [...names].filter((name) => !values.has(name));
  if (stored.length === 0 || !takesStoredSecrets(server, context)) return values;
  const namespace = server.source === "deployment" ? "deployment" : context.caller.tenant;
  const batch = await context.deps.secrets.getSecrets(namespace, stored);
  return new Map([...batch.values, ...values]);
}

/** A request fills references of its own servers freely, of an operator's where the entry lists the name. */
function takesInput(server: UsableServer, name: string): boolean {
  return server.source === "submitted" || server.config.inputs.includes(name);
}

/** Stored secrets go to servers that the operator wrote; to submitted ones in development only. */
function takesStoredSecrets(server: UsableServer, context: OperationContext): boolean {
  return server.source !== "submitted" || context.deps.settings.development;
}

function unresolved(server: UsableServer, missing: readonly Reference[]): GatewayError {
  const names = [...new Set(missing.map(({ name }) => name))];
  const [first, ...others] = names;
  const more = others.length === 0 ? "" : `, nor are ${others.map((name) => `'${name}'`).join(", ")}`;
  return new GatewayError(
    "REFERENCE_UNRESOLVED",
    `Environment variable '${first}' not found${more} (server '${server.name}').`,
    {
      server: server.name,
      details: { references: missing.map(({ name, pointer }) => ({ name, pointer })) },
    },
  );
}
