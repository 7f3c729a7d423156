import { isAbsolute, join } from "node:path";
import {
  type Environment,
  findProgram,
  readChoice,
  readNumber,
  SettingsError,
} from "../../setting-readers.ts";

/** How the host runs containers. */
export interface DockerSettings {
  /** Path of the docker command; null = there is none. */
  readonly cli: string | null;
  /** The engine, as DOCKER_HOST has it; null = this host runs no docker servers. */
  readonly engine: string | null;
  /** Folder of the certificates for an engine that is reached by TLS. */
  readonly certificates: string | null;
  /** Folder of the docker command's own config.json, with the logins to registries. */
  readonly configFolder: string | null;
  readonly pull: "missing" | "never" | "always";
  readonly limits: ContainerLimits;
  /** Folders of the machine of which containers may see parts. */
  readonly volumeRoots: readonly string[];
}

/** What one container may use. */
export interface ContainerLimits {
  readonly memoryMb: number;
  /** 100 = one processor. */
  readonly cpuPercent: number;
  readonly processes: number;
}

const pullPolicies = ["missing", "never", "always"] as const;
const localEngine = "unix:///var/run/docker.sock";

/** @throws SettingsError for the first variable that is wrong. */
export function readDockerSettings(environment: Environment): DockerSettings {
  const pull = readChoice(environment, "GANGWAY_HOST_DOCKER_PULL", pullPolicies);
  return {
    cli: findProgram(environment, { name: "docker", variable: "GANGWAY_HOST_DOCKER_CLI" }),
    engine: readEngine(environment, "GANGWAY_HOST_DOCKER_ENGINE"),
    certificates: readFolder(environment, "GANGWAY_HOST_DOCKER_CERTIFICATES"),
    configFolder: readFolder(environment, "GANGWAY_HOST_DOCKER_CONFIG"),
    pull: pullPolicies.find((policy) => policy === pull) ?? "missing",
    limits: readLimits(environment),
    volumeRoots: readRoots(environment, "GANGWAY_HOST_DOCKER_VOLUME_ROOTS"),
  };
}

function readLimits(environment: Environment): ContainerLimits {
  const whole = (name: string, [fallback, least, most]: readonly [number, number, number]) =>
    readNumber(environment, name, { fallback, least, most });
  return {
    memoryMb: whole("GANGWAY_HOST_DOCKER_MEMORY_MB", [1024, 16, 1_048_576]),
    cpuPercent: whole("GANGWAY_HOST_DOCKER_CPU_PERCENT", [100, 1, 100_000]),
    processes: whole("GANGWAY_HOST_DOCKER_PROCESSES", [256, 1, 1_000_000]),
  };
}

/** An engine beyond ssh would be reached with keys of the host's own user: it is not offered. */
function readEngine(environment: Environment, name: string): string | null {
  const text = environment[name] || localEngine;
  if (text === "none") return null;
  if (/^unix:\/\/\/[^\s]+$|^tcp:\/\/[^\s/@]+:\d+$/.test(text)) return text;
  throw new SettingsError(
    `${name} must be unix:///PATH, tcp://HOST:PORT or none; unset it for ${localEngine}.`,
  );
}

function readFolder(environment: Environment, name: string): string | null {
  const text = environment[name];
  if (!text) return null;
  if (isAbsolute(text)) return text;
  throw new SettingsError(`${name} must be an absolute path of a folder; unset it for none.`);
}

function readRoots(environment: Environment, name: string): readonly string[] {
  const roots = (environment[name] ?? "").split(":").filter((root) => root !== "");
  if (roots.every((root) => isAbsolute(root) && join(root, "/") !== "/")) return roots;
  throw new SettingsError(
    `${name} must be absolute paths of folders below the root, with \`:\` between; unset it for none.`,
  );
}
