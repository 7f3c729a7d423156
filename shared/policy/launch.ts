import { commands, type CommandName } from "../config/server-config.ts";
import { at, refuse, type Check, type Refusal } from "./check.ts";
import { parseDockerArgs, type DockerLaunch, type DockerLaunchRules } from "./docker.ts";
import { splitRegistry } from "./image.ts";
import { parseNpxArgs, type NpxLaunch } from "./npx.ts";
import { pythonName } from "./python-spec.ts";
import type { EnvNameReason, LaunchReason } from "./reasons.ts";
import { optionName, shown } from "./shown.ts";
import { parseUvxArgs, type UvxLaunch } from "./uvx.ts";

/** What an accepted argv starts; `runner` tells the three apart. */
export type ParsedLaunch = NpxLaunch | UvxLaunch | DockerLaunch;
export type LaunchCheck<Launch = ParsedLaunch> = Check<Launch, LaunchReason | EnvNameReason>;

/** Judges the argv of a stdio server by the grammar of its command. References are still unexpanded. */
export function parseLaunch(
  command: string,
  args: readonly string[],
  rules: DockerLaunchRules = {},
): LaunchCheck {
  if (!isCommand(command)) return refuseCommand(command);
  const nul = args.findIndex((arg) => arg.includes("\0"));
  if (nul !== -1)
    return at(nul, refuse("argument-has-nul", "An argument holds a NUL character.", "Remove it."));
  if (command === "npx") return parseNpxArgs(args);
  if (command === "uvx") return parseUvxArgs(args);
  return parseDockerArgs(args, rules);
}

/**
 * The identity that allow-lists compare, without the version: `npm:@scope/name`, `pypi:name`,
 * `docker:registry/path`. Equal packages have one key, however a config spells them.
 */
export function packageKey(launch: ParsedLaunch): string {
  if (launch.runner === "npx") return `npm:${launch.package}`;
  if (launch.runner === "uvx") return `pypi:${pythonName(launch.package)}`;
  return `docker:${fullImageName(launch.package)}`;
}

/** The package as its runner takes it, in the version given or else the launch's own. */
export function packageSpec(launch: ParsedLaunch, version: string | null = launch.version): string {
  if (launch.runner === "uvx") return pythonSpec(launch, version);
  if (version === null) return launch.package;
  return `${launch.package}${versionMark(launch, version)}${version}`;
}

/**
 * The argv for messages: command, package, program and the names of options. Values are shown as
 * `…`, since any of them may be a secret.
 */
export function describeLaunch(launch: ParsedLaunch): string {
  const head = launch.runner === "docker" ? ["docker", "run"] : [launch.runner];
  const bin = launch.bin === null ? [] : [launch.bin];
  return [...head, packageSpec(launch), ...bin, ...launch.args.map(masked)].join(" ");
}

function masked(arg: string): string {
  if (!arg.startsWith("-")) return "…";
  const name = optionName(arg);
  if (name === arg || name === "-…") return name;
  return name.startsWith("--") ? `${name}=…` : `${name}…`;
}

function versionMark(launch: NpxLaunch | DockerLaunch, version: string): "@" | ":" {
  return launch.runner === "npx" || version.startsWith("sha256:") ? "@" : ":";
}

function pythonSpec(launch: UvxLaunch, version: string | null): string {
  const extras = launch.extras.length === 0 ? "" : `[${launch.extras.join(",")}]`;
  const mark = version === "latest" ? "@" : "==";
  return `${launch.package}${extras}${version === null ? "" : `${mark}${version}`}`;
}

/** Docker's own short forms written out: `mcp/time` is `docker.io/mcp/time`. */
function fullImageName(name: string): string {
  const { registry, path } = splitRegistry(name);
  const host = registry?.toLowerCase() ?? "docker.io";
  const isHub = host === "docker.io" || host === "index.docker.io";
  if (!isHub) return `${host}/${path}`;
  return `docker.io/${path.includes("/") ? path : `library/${path}`}`;
}

function isCommand(command: string): command is CommandName {
  return commands.some((known) => known === command);
}

function refuseCommand(command: string): Refusal<LaunchReason> {
  const [last = ""] = command.split(/[/\\]/).slice(-1);
  const plain = last.replace(/\.(?:cmd|exe)$/i, "").toLowerCase();
  const hint = isCommand(plain)
    ? `Write \`${plain}\` alone.`
    : "Publish the server and start it by npx (npm), uvx (Python) or docker.";
  return refuse(
    "command-not-allowed",
    `The command ${shown(command)} is not one that Gangway runs.`,
    hint,
  );
}
