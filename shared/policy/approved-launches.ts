import { referencedNames } from "../config/references.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { accept, refuse, type Check } from "./check.ts";
import type { DockerLaunchRules } from "./docker.ts";
import { packageKey, parseLaunch, type ParsedLaunch } from "./launch.ts";
import { checkPinned } from "./pinning.ts";
import type { EnvNameReason, LaunchReason, PolicyReason } from "./reasons.ts";

/** All of a server's entry that decides what a launch does; references are unexpanded. */
export type LaunchFields = Pick<
  ServerConfig,
  "command" | "args" | "env" | "env_file" | "config" | "encoding"
>;

/** A launch that an operator trusts with the tenant's stored secrets. */
export interface ApprovedLaunch {
  /** Of `canonicalLaunch`. */
  readonly canonical: string;
  /** Names of references that a request may fill; others would steer the launch. */
  readonly inputs: readonly string[];
}

type Reason = LaunchReason | EnvNameReason | PolicyReason;

/**
 * One text for all spellings of one launch: runner, package in its exact version or digest,
 * program, arguments, environment and config. What may not be approved is refused: a version that
 * moves, references in args, an env file (its text comes with the request).
 */
export function canonicalLaunch(
  fields: LaunchFields,
  rules: DockerLaunchRules = {},
): Check<string, Reason> {
  const checked = checkApprovable(fields, rules);
  if (!checked.ok) return checked;
  return accept(JSON.stringify(sorted({ ...describe(checked.value), ...settingsOf(fields) })));
}

/** The launch, where it may be approved at all. */
function checkApprovable(
  fields: LaunchFields,
  rules: DockerLaunchRules,
): Check<ParsedLaunch, Reason> {
  if (fields.command === undefined) {
    return refuse(
      "launch-is-remote",
      "The server has no command.",
      "Remote servers are listed under `send_to`.",
    );
  }
  if (fields.env_file !== undefined) {
    return refuse(
      "launch-has-env-file",
      "The launch takes an env file.",
      "Write its variables into `env`, secrets as `${NAME}`.",
    );
  }
  if (fields.args.some((arg) => referencedNames(arg).length > 0)) {
    return refuse("args-hold-reference", "The arguments hold a reference.", argsHint);
  }
  const launch = parseLaunch(fields.command, fields.args, rules);
  return launch.ok ? checkPinned(launch.value) : launch;
}

/** Arguments show in process lists. */
export const argsHint = "Pass the value through `env`: arguments show in process lists.";

/** The approval that a launch equals, if any. */
export function findApproval(
  fields: LaunchFields,
  approvals: readonly ApprovedLaunch[],
  rules: DockerLaunchRules = {},
): ApprovedLaunch | undefined {
  if (approvals.length === 0) return undefined;
  const launch = canonicalLaunch(fields, rules);
  return launch.ok ? approvals.find(({ canonical }) => canonical === launch.value) : undefined;
}

/** What the grammar makes of the argv; options that change nothing for the server are left out. */
function describe(launch: ParsedLaunch): Record<string, unknown> {
  const { runner, version, bin, args } = launch;
  const common = { runner, package: packageKey(launch), version, bin, args };
  if (launch.runner === "uvx") return { ...common, extras: [...launch.extras].sort() };
  if (launch.runner === "npx") return common;
  const { init, envNames, envValues, volumes } = launch;
  return { ...common, init, envNames: [...envNames].sort(), envValues, volumes };
}

function settingsOf({ env, config, encoding }: LaunchFields): Record<string, unknown> {
  return { env, config: config ?? null, encoding: encoding.toLowerCase() };
}

/** Plain data with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
