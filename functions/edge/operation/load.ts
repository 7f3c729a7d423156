import type { ConfigFields } from "../../../shared/api/request-fields.ts";
import type { Deployment } from "../../../shared/config/deployment.ts";
import type { Finding } from "../../../shared/config/finding.ts";
import { requestLimits } from "../../../shared/config/limits.ts";
import { readConfig } from "../../../shared/config/read-config.ts";
import type { AllowFields } from "../../../shared/catalogue/allowed.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { refuseNarrowed } from "../middleware/refuse-narrowed.ts";
import { requireScope } from "../middleware/require-scope.ts";
import type { OperationContext } from "./operation-context.ts";

/** Where a server was written. */
export type Source = "deployment" | "tenant" | "submitted";

/** One server of the request's scope; `config` is null where its entry has errors. */
export interface ScopedServer {
  readonly name: string;
  readonly source: Source;
  readonly config: (ServerConfig & Pick<AllowFields, "tools_of_key">) | null;
  readonly disabled: boolean;
  readonly findings: readonly Finding[];
  /** Texts of env files by path. */
  readonly envFiles: Readonly<Record<string, string>>;
}

/**
 * The servers that the request may address: its own config's, or the configured ones of the
 * deployment and the caller's tenant (the nearer level replaces the whole entry of a name).
 * @throws GatewayError CONFIG_SYNTAX, SCOPE_MISSING (`submit`), REQUEST_INVALID
 */
export function load(fields: ConfigFields, context: OperationContext): readonly ScopedServer[] {
  const submitted = loadSubmitted(fields, context);
  if (submitted !== null && !fields.include_configured) return submitted;
  const byName = new Map<string, ScopedServer>();
  for (const server of [...loadConfigured(context), ...(submitted ?? [])]) {
    byName.set(server.name, server);
  }
  return [...byName.values()];
}

function loadSubmitted(
  fields: ConfigFields,
  context: OperationContext,
): readonly ScopedServer[] | null {
  const source = submittedSource(fields);
  if (source === null) return null;
  requireScope(context.caller, "submit");
  refuseNarrowed(context.caller);
  const { docker: launchRules } = context.deps.settings.policyOf(context.caller.tenant);
  const reading = readConfig(source, { launchRules, limits: requestLimits });
  if (!reading.documentOk) throw syntaxError(reading.findings);
  return reading.servers.map((server) => ({
    name: server.name,
    source: "submitted",
    config: server.config === null ? null : ofKey(server.config, context),
    disabled: server.disabled,
    findings: server.findings,
    envFiles: fields.env_files ?? {},
  }));
}

function submittedSource(fields: ConfigFields): Parameters<typeof readConfig>[0] | null {
  if (fields.config !== undefined && fields.config_text !== undefined) {
    throw new GatewayError("REQUEST_INVALID", "The body has both `config` and `config_text`.", {
      hint: "Send one of them.",
    });
  }
  if (fields.config !== undefined) return { value: fields.config };
  if (fields.config_text === undefined) return null;
  return {
    text: fields.config_text,
    ...(fields.config_path === undefined ? {} : { path: fields.config_path }),
  };
}

type Level = Pick<Deployment, "mcp_servers" | "unusable" | "env_files">;

/** Env files come with the deployment: one of a request could steer a server that has secrets. */
function loadConfigured(context: OperationContext): readonly ScopedServer[] {
  const { deployment, tenants } = context.deps.settings;
  const { tenant: id, servers: narrowed } = context.caller;
  const tenant = tenants.tenant(id);
  const at = (source: Source, level: Level): readonly ScopedServer[] => [
    ...level.mcp_servers.map((config) => ({
      name: config.name,
      source,
      config: ofKey(config, context),
      disabled: config.disabled,
      findings: [],
      envFiles: level.env_files,
    })),
    ...level.unusable.map(({ name, findings }) => {
      const nothing = { config: null, disabled: false, envFiles: {} };
      return { name, source, findings, ...nothing };
    }),
  ];
  const servers = [
    ...at("deployment", deployment),
    ...(tenant === undefined ? [] : at("tenant", tenant)),
  ];
  return narrowed === null ? servers : servers.filter(({ name }) => narrowed.includes(name));
}

/** The entry with what the caller's key is narrowed to. */
function ofKey(config: ServerConfig, { caller }: OperationContext) {
  return caller.tools === null ? config : { ...config, tools_of_key: caller.tools };
}

function syntaxError(findings: readonly Finding[]): GatewayError {
  const first = findings.find(({ severity }) => severity === "error");
  const place = first?.line == null ? "" : ` (line ${first.line}, column ${first.column})`;
  return new GatewayError(
    "CONFIG_SYNTAX",
    `The config cannot be read: ${first?.message ?? "it is not a config"}${place}`,
    { details: { findings: findings.slice(0, 20) } },
  );
}
