import { parseEnvFile } from "../../../shared/config/env-file.ts";
import {
  expandReferences,
  findReferences,
  type Reference,
} from "../../../shared/config/references.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import type { Warning } from "../../../shared/content/call-result.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { createRedactor, type Redactor } from "../../../shared/secrets/redact.ts";
import { grantedNames } from "./granted-names.ts";
import type { OperationContext } from "./operation-context.ts";
import { referenceHint } from "./reference-hint.ts";
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
  /** The values among them that come from the secret store. */
  readonly stored: StoredValues;
  /** What the caller is told about them. */
  readonly warnings: readonly Warning[];
}

/** Values of one namespace of the secret store, by name. */
export interface StoredValues {
  readonly namespace: string;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Fetches the values of the server's references, once, and only of this server.
 * @throws GatewayError REFERENCE_UNRESOLVED listing every missing name with its places,
 * ENV_FILE_NOT_PROVIDED, SECRET_UNUSABLE, SECRET_PROVIDER_FAILED, SECRET_PROVIDER_REFUSED
 */
export async function resolve(
  server: UsableServer,
  inputs: Readonly<Record<string, string>>,
  context: OperationContext,
): Promise<ResolvedServer> {
  const plain = isPlain(server.config);
  const references = plain ? [] : findReferences(server.config, "");
  const envFile = readEnvFile(server);
  const given = givenValues(server, references, inputs);
  const stored = await fetchStored(server, references, given, context);
  const values = new Map([...stored.values, ...given]);
  const missing = references.filter(({ name }) => (values.get(name) ?? "") === "");
  if (missing.length > 0) throw unresolved(server, missing, context);
  const short = references.filter(({ name }) => isShort(stored.values.get(name)));
  if (short.length > 0 && !context.deps.settings.development) throw tooShort(server, short);
  return {
    server,
    config: plain ? server.config : expandReferences(server.config, values),
    envFile,
    redactor: createRedactor(new Map([...secretLike(envFile), ...values])),
    stored,
    warnings: shortWarnings(short),
  };
}

/** By config: those of the deployment live as long as the isolate. */
const plainConfigs = new WeakMap<ServerConfig, boolean>();

/** Without a reference, or an escape of one, a config is what it expands to. */
function isPlain(config: ServerConfig): boolean {
  const plain = plainConfigs.get(config) ?? !JSON.stringify(config).includes("${");
  plainConfigs.set(config, plain);
  return plain;
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

function givenValues(
  server: UsableServer,
  references: readonly Reference[],
  inputs: Readonly<Record<string, string>>,
): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name } of references) {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (given !== undefined && takesInput(server, name)) values.set(name, given);
  }
  return values;
}

async function fetchStored(
  server: UsableServer,
  references: readonly Reference[],
  given: ReadonlyMap<string, string>,
  context: OperationContext,
): Promise<StoredValues> {
  const namespace = server.source === "deployment" ? "deployment" : context.caller.tenant;
  const granting = { references, given: new Set(given.keys()) };
  const names = grantedNames(server, granting, context);
  if (names.size === 0) return { namespace, values: new Map() };
  const { secrets } = context.deps;
  return { namespace, values: await secrets.getSecrets(namespace, [...names], context.signal) };
}

/** A request fills references of its own servers freely, of an operator's where the entry lists the name. */
function takesInput(server: UsableServer, name: string): boolean {
  return server.source === "submitted" || server.config.inputs.includes(name);
}

/** A shorter value cannot be told from ordinary text, so that nothing could mask it. */
const shortestSecret = 8;

/** An env file holds settings beside secrets: `LOG_LEVEL=info` must not mask a word of every result. */
function secretLike(envFile: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(envFile).filter(([, value]) => value.length >= shortestSecret);
}

function isShort(value: string | undefined): boolean {
  return value !== undefined && value.length < shortestSecret;
}

function shortWarnings(short: readonly Reference[]): Warning[] {
  if (short.length === 0) return [];
  const names = [...new Set(short.map(({ name }) => `'${name}'`))].join(", ");
  const message = `Secrets of fewer than ${shortestSecret} characters may be shown in results, since they cannot be told from ordinary text, and production refuses them: ${names}.`;
  return [{ code: "SECRET_TOO_SHORT_TO_MASK", message }];
}

function tooShort(server: UsableServer, short: readonly Reference[]): GatewayError {
  return new GatewayError(
    "SECRET_UNUSABLE",
    `The stored secret '${short[0]?.name}' is shorter than ${shortestSecret} characters (server '${server.name}').`,
    {
      server: server.name,
      hint: `Store a longer secret, or write a value that is no secret into the config itself.`,
      details: { references: short.map(({ name, pointer }) => ({ name, pointer })) },
    },
  );
}

function unresolved(
  server: UsableServer,
  missing: readonly Reference[],
  context: OperationContext,
): GatewayError {
  const names = [...new Set(missing.map(({ name }) => name))];
  const [first, ...others] = names;
  const more =
    others.length === 0 ? "" : `, nor are ${others.map((name) => `'${name}'`).join(", ")}`;
  return new GatewayError(
    "REFERENCE_UNRESOLVED",
    `Environment variable '${first}' not found${more} (server '${server.name}').`,
    {
      server: server.name,
      hint: referenceHint(server, names, context),
      details: { references: missing.map(({ name, pointer }) => ({ name, pointer })) },
    },
  );
}
