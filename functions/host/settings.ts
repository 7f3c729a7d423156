import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type IsolationSettings, readIsolationSettings } from "./isolation/isolation-settings.ts";
import { type DockerSettings, readDockerSettings } from "./launch/docker/docker-settings.ts";
import { readUvSettings, type UvSettings } from "./launch/uvx/uv-settings.ts";
import { memoryBytes, processesFor } from "./memory.ts";
import type { HeldLimits } from "./sessions/held-processes.ts";
import {
  type Environment,
  pick,
  type PublicKey,
  readChoice,
  readFlag,
  readNpmCli,
  readNumber,
  readPublicKey,
  readUrl,
} from "./setting-readers.ts";

/** All that the host is told by its environment. Times in milliseconds, sizes in bytes. */
export interface HostSettings {
  readonly bindAddress: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The edge's public half of the ticket key, as a JWK. */
  readonly ticketKey: PublicKey;
  /** Absolute. Installed packages stay there; what processes leave is removed. */
  readonly dataDir: string;
  /** Absolute. Packages that came with the image; null = none did. */
  readonly seedDir: string | null;
  readonly npm: NpmSettings;
  readonly uv: UvSettings;
  readonly docker: DockerSettings;
  readonly isolation: IsolationSettings;
  /** Where `GET /metrics` is answered; null = nowhere. */
  readonly metrics: Listening | null;
  readonly maxProcesses: number;
  readonly idleMs: number;
  /** Processes that are kept for one caller: sessions, and calls that wait for its answers. */
  readonly held: HeldLimits;
  /** How long a call waits for its caller's answers. */
  readonly inputWaitMs: number;
  /** How long each step of stopping a process waits: after stdin's end, and after SIGTERM. */
  readonly stopGraceMs: number;
  /** How long calls in flight may go on after the host was told to end. */
  readonly drainMs: number;
  readonly maxBodyBytes: number;
  /** Most that installed packages and downloads may take on the disk. */
  readonly maxPackageBytes: number;
  /** Upper bound of a run's own `result_bytes`. */
  readonly maxFrameBytes: number;
  /** Launches may run as the host's own user where they cannot be isolated. */
  readonly development: boolean;
  readonly logLevel: string;
}

export interface Listening {
  readonly address: string;
  /** 0 = any free port. */
  readonly port: number;
}

export interface NpmSettings {
  /** Path of npm-cli.js, run by the host's own Node. */
  readonly cli: string;
  /** null = npm's default registry. */
  readonly registry: string | null;
  /** How long the host remembers what version a tag, or no version, meant. */
  readonly tagTtlMs: number;
  /** Most that one installation may take, whoever waits for it. */
  readonly maxInstallMs: number;
  /** Variables of the machine that the installer gets, and no server. */
  readonly environment: Readonly<Record<string, string>>;
}

const mebibyte = 1024 * 1024;
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
const logLevels = ["info", "trace", "debug", "warn", "error", "fatal", "silent"];

/**
 * Reads every setting; nothing else of the host reads the environment.
 * @throws SettingsError for the first variable that is missing or wrong.
 */
export function readSettings(environment: Environment): HostSettings {
  const whole = (name: string, [fallback, least, most]: readonly [number, number, number]) =>
    readNumber(environment, name, { fallback, least, most });
  const maxProcesses = readNumber(environment, "GANGWAY_HOST_MAX_PROCESSES", {
    fallback: processesFor(memoryBytes()),
    least: 1,
    most: 1000,
    byDefault: "what fits into the memory",
  });
  return {
    bindAddress: environment["GANGWAY_HOST_ADDRESS"] || "127.0.0.1",
    port: whole("GANGWAY_HOST_PORT", [8788, 0, 65_535]),
    ticketKey: readPublicKey(environment, "GANGWAY_HOST_TICKET_KEY"),
    dataDir: resolve(environment["GANGWAY_HOST_DATA_DIR"] || join(tmpdir(), "gangway-host")),
    seedDir: environment["GANGWAY_HOST_SEED_DIR"]
      ? resolve(environment["GANGWAY_HOST_SEED_DIR"])
      : null,
    ...readInstallSettings(environment),
    docker: readDockerSettings(environment),
    isolation: readIsolationSettings(environment, maxProcesses),
    metrics: readMetrics(environment),
    maxProcesses,
    held: {
      // The other half is for whoever keeps nothing.
      most: Math.min(whole("GANGWAY_HOST_MAX_HELD", [8, 0, 1000]), Math.ceil(maxProcesses / 2)),
      mostOfOne: whole("GANGWAY_HOST_MAX_HELD_BY_ONE", [4, 0, 1000]),
    },
    inputWaitMs: whole("GANGWAY_HOST_INPUT_WAIT_S", [300, 1, 600]) * 1000,
    idleMs: whole("GANGWAY_HOST_IDLE_MS", [60_000, 0, 86_400_000]),
    stopGraceMs: whole("GANGWAY_HOST_STOP_GRACE_MS", [2000, 10, 60_000]),
    drainMs: whole("GANGWAY_HOST_DRAIN_MS", [5000, 0, 900_000]),
    maxBodyBytes: whole("GANGWAY_HOST_MAX_BODY_BYTES", [4 * mebibyte, 1024, 64 * mebibyte]),
    maxPackageBytes: whole("GANGWAY_HOST_MAX_PACKAGE_BYTES", [10 * 1024 * mebibyte, 0, 2 ** 49]),
    maxFrameBytes: whole("GANGWAY_HOST_MAX_FRAME_BYTES", [32 * mebibyte, 1024, 256 * mebibyte]),
    development: readFlag(environment, "GANGWAY_HOST_DEVELOPMENT"),
    logLevel: readChoice(environment, "GANGWAY_HOST_LOG_LEVEL", logLevels),
  };
}

/** How packages are installed. @throws SettingsError for the first variable that is wrong. */
export function readInstallSettings(environment: Environment): Pick<HostSettings, "npm" | "uv"> {
  const seconds = (name: string, fallback: number, [least, most]: readonly [number, number]) =>
    readNumber(environment, name, { fallback, least, most }) * 1000;
  return {
    npm: {
      cli: readNpmCli(environment, "GANGWAY_HOST_NPM_CLI"),
      registry: readUrl(environment, "GANGWAY_HOST_NPM_REGISTRY"),
      tagTtlMs: seconds("GANGWAY_HOST_TAG_TTL_S", 3600, [0, 604_800]),
      maxInstallMs: seconds("GANGWAY_HOST_MAX_INSTALL_S", 600, [1, 3600]),
      environment: pick(environment, [...proxies, "NODE_EXTRA_CA_CERTS"]),
    },
    uv: readUvSettings(environment),
  };
}

function readMetrics(environment: Environment): Listening | null {
  const name = "GANGWAY_HOST_METRICS_PORT";
  if (!environment[name]) return null;
  const port = readNumber(environment, name, {
    fallback: 0,
    least: 0,
    most: 65_535,
    byDefault: "no metrics",
  });
  return { address: environment["GANGWAY_HOST_METRICS_ADDRESS"] || "127.0.0.1", port };
}
