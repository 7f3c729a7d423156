import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { checkEnvName } from "../../../shared/policy/env-names.ts";
import { checkHeader } from "../../../shared/policy/headers.ts";
import { type LaunchCheck, type ParsedLaunch, parseLaunch } from "../../../shared/policy/launch.ts";
import { checkUrl } from "../../../shared/policy/url.ts";
import type { Refusal } from "../../../shared/policy/check.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { checkPinning } from "../../../shared/policy/submitted.ts";
import { launchRevoked } from "../../../shared/policy/revocations.ts";
import { requireRevocations } from "../middleware/auth.ts";
import { type FetchGuard, urlRefused } from "../upstream/guarded-fetch.ts";
import type { RemoteTransportName } from "../upstream/load-transport.ts";
import { ServerTurns } from "../upstream/server-turns.ts";
import { containerEnvironment } from "./container-environment.ts";
import { endpointWall } from "./endpoint-wall.ts";
import { requireLaunchGranted } from "./launch-wall.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";
import { requireLaunchAllowed, requireUrlAllowed } from "./submitted-policy.ts";

/** A remote server resolved to what is sent on the wire. Headers hold secrets. */
export interface Endpoint {
  readonly kind: "endpoint";
  readonly transport: RemoteTransportName;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands between the server's transport and the network. */
  readonly guard: FetchGuard & { readonly turns: ServerTurns };
}

/** A stdio server resolved to what the host starts, and the host that does. */
export interface HostedLaunch {
  readonly kind: "launch";
  readonly launch: Launch;
  readonly host: URL;
}

/**
 * Checks the final URL, headers, launch and environment against policy: at use, whatever the
 * validator said before.
 * @throws GatewayError URL_NOT_ALLOWED, SECRET_DESTINATION_NOT_ALLOWED, VERSION_UNSUPPORTED,
 * SERVER_NOT_ALLOWED, LAUNCH_NOT_ALLOWED, LAUNCHER_UNAVAILABLE
 */
export function guard(
  resolved: ResolvedServer,
  context: OperationContext,
): Endpoint | HostedLaunch {
  const { transport } = resolved.config;
  return transport === "stdio"
    ? guardLaunch(resolved, context)
    : guardEndpoint(resolved, transport, context);
}

function guardEndpoint(
  resolved: ResolvedServer,
  transport: RemoteTransportName,
  context: OperationContext,
): Endpoint {
  const { config, server } = resolved;
  const { deps, outbound } = context;
  const { fetch, settings } = deps;
  const { development } = settings;
  const { ownHosts, hops, slots } = outbound;
  if (transport !== "http" && config.protocol === "2026-07-28") {
    const text = `Server '${server.name}' asks for revision 2026-07-28, which has no ${transport} transport.`;
    throw new GatewayError("VERSION_UNSUPPORTED", text, { server: server.name });
  }
  const url = checkUrl(config.url ?? "", {
    schemes: [transport === "websocket" ? "wss" : "https"],
    development,
    ownHosts,
  });
  if (!url.ok) throw urlRefused(url).with({ server: server.name });
  requireUrlAllowed(url.value, server, context);
  const wall = endpointWall(url.value, resolved, context);
  wall(url.value);
  for (const [name, value] of Object.entries(config.headers)) {
    const header = checkHeader(name, value);
    if (!header.ok) throw urlRefused(header).with({ server: server.name });
  }
  return {
    kind: "endpoint",
    transport,
    url: url.value,
    headers: config.headers,
    guard: { fetch, development, ownHosts, hops, turns: new ServerTurns(slots), wall },
  };
}

function guardLaunch(resolved: ResolvedServer, context: OperationContext): HostedLaunch {
  const { config, server } = resolved;
  const command = config.command ?? "npx";
  // As written: a reference must not become the package. As expanded: what is really started.
  const { docker: rules } = context.deps.settings.policyOf(context.caller.tenant);
  const written = parseLaunch(command, server.config.args, rules);
  const parsed = written.ok ? parseLaunch(command, config.args, rules) : written;
  if (!parsed.ok) throw launchRefused(parsed, server.name);
  requireInPolicy(parsed.value, resolved, context);
  requireLaunchGranted(resolved, context);
  const environment = environmentOf(resolved, { written, expanded: parsed });
  for (const name of Object.keys({ ...environment.env, ...environment.secret_env })) {
    const checked = checkEnvName(name, rules);
    if (!checked.ok) throw launchRefused(checked, server.name);
  }
  const host = context.deps.settings.hosts[command];
  if (host === undefined) {
    throw new GatewayError(
      "LAUNCHER_UNAVAILABLE",
      `This deployment has no host that runs ${command}.`,
      {
        server: server.name,
      },
    );
  }
  const { runner, package: name, version, bin, args } = parsed.value;
  const launch = {
    runner,
    package: name,
    version,
    bin,
    args: [...args],
    encoding: config.encoding,
  };
  const { value } = parsed;
  const optIn =
    rules.optIn === undefined || rules.optIn.length === 0 ? {} : { env_opt_in: [...rules.optIn] };
  const fields = {
    ...runnerFields(value),
    ...installFields(runner, context),
    ...environment,
    ...optIn,
  };
  return { kind: "launch", host, launch: { ...launch, ...fields } };
}

/** Whether the launch may be started by policy, and is not taken out of use. */
function requireInPolicy(
  launch: ParsedLaunch,
  { server }: ResolvedServer,
  context: OperationContext,
): void {
  const { caller, deps } = context;
  requireLaunchAllowed(launch, server, context);
  const { ownPinning } = deps.settings.policyOf(caller.tenant);
  const pinned = checkPinning(launch, server.source === "tenant" ? ownPinning : "warn");
  if (!pinned.ok) throw launchRefused(pinned, server.name);
  if (!launchRevoked(launch, requireRevocations(deps.revocations()))) return;
  throw new GatewayError("LAUNCH_NOT_ALLOWED", `${launch.package} is taken out of use.`, {
    server: server.name,
    hint: "Ask the operator: GANGWAY_REVOKED holds it.",
    details: { reason: "package-revoked" },
  });
}

/** What one command alone has. */
function runnerFields(launch: ParsedLaunch): Pick<Launch, "extras" | "volumes"> {
  if (launch.runner === "uvx")
    return launch.extras.length === 0 ? {} : { extras: [...launch.extras] };
  if (launch.runner !== "docker" || launch.volumes.length === 0) return {};
  const volumes = launch.volumes.map(({ readOnly: read_only, ...paths }) => ({
    ...paths,
    read_only,
  }));
  return { volumes };
}

/** What the tenant's policy says of installing packages, where it says something. */
function installFields(
  runner: Launch["runner"],
  { caller, deps }: OperationContext,
): Pick<Launch, "install"> {
  const { allowScripts, minReleaseAgeMs } = deps.settings.policyOf(caller.tenant).install;
  const install = {
    ...(allowScripts && runner === "npx" ? { allow_scripts: true } : {}),
    ...(minReleaseAgeMs === null ? {} : { min_release_age_ms: minReleaseAgeMs }),
  };
  return runner === "docker" || Object.keys(install).length === 0 ? {} : { install };
}

interface LaunchReadings {
  readonly written: LaunchCheck;
  readonly expanded: LaunchCheck;
}

/** The environment of the server's own process, or of its container. */
function environmentOf(
  resolved: ResolvedServer,
  { written, expanded }: LaunchReadings,
): Pick<Launch, "env" | "secret_env"> {
  const environment = launchEnvironment(resolved);
  const isDocker = written.ok && written.value.runner === "docker";
  if (!isDocker || !expanded.ok || expanded.value.runner !== "docker") return environment;
  const parts = { written: written.value, expanded: expanded.value, environment };
  const checked = containerEnvironment({ ...parts, always: [configVariable] });
  if (!checked.ok) throw launchRefused(checked, resolved.server.name);
  return checked.value;
}

/** The variable that hands `config` to a stdio server. */
const configVariable = "MCP_CONFIG";

/**
 * Env file < `env` < MCP_CONFIG. Values that hold an expanded reference, and all of the env file,
 * count as secret.
 */
function launchEnvironment({
  config,
  envFile,
  server,
}: ResolvedServer): Pick<Launch, "env" | "secret_env"> {
  const env: Record<string, string> = {};
  const secretEnv: Record<string, string> = { ...envFile };
  for (const [name, value] of Object.entries(config.env)) {
    delete secretEnv[name];
    (server.config.env[name] === value ? env : secretEnv)[name] = value;
  }
  if (config.config !== undefined) {
    const written = JSON.stringify(server.config.config);
    const expanded = JSON.stringify(config.config);
    delete env[configVariable];
    delete secretEnv[configVariable];
    (written === expanded ? env : secretEnv)[configVariable] = expanded;
  }
  return { env, secret_env: secretEnv };
}

function launchRefused(refusal: Refusal, server: string): GatewayError {
  return new GatewayError("LAUNCH_NOT_ALLOWED", refusal.message, {
    server,
    hint: refusal.hint,
    details: {
      reason: refusal.reason,
      ...(refusal.index === undefined ? {} : { argument: refusal.index }),
    },
  });
}
