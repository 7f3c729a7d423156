import { accessSync, constants, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";

/** A setting that the host cannot start with; `message` is one line naming variable and remedy. */
export class SettingsError extends TypeError {
  override readonly name = "SettingsError";
}

type Environment = Readonly<Record<string, string | undefined>>;

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most));

const publicKeySchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().min(1),
});

/** Variables that reach the package installer (never a server), so that it works behind a proxy. */
const installerVariables = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
] as const;

/** All that the host is told by its environment. Times in milliseconds, sizes in bytes. */
export interface HostSettings {
  readonly bindAddress: string;
  /** 0 = any free port. */
  readonly port: number;
  /** The edge's public half of the ticket key, as a JWK. */
  readonly ticketKey: z.infer<typeof publicKeySchema>;
  readonly dataDir: string;
  readonly npm: NpmSettings;
  readonly maxProcesses: number;
  readonly idleMs: number;
  /** How long each step of stopping a process waits: after stdin's end, and after SIGTERM. */
  readonly stopGraceMs: number;
  /** How long calls in flight may go on after the host was told to end. */
  readonly drainMs: number;
  readonly maxBodyBytes: number;
  /** Upper bound of a run's own `result_bytes`. */
  readonly maxFrameBytes: number;
  readonly development: boolean;
  readonly logLevel: string;
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
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Reads every setting; nothing else of the host reads the environment.
 * @throws SettingsError for the first variable that is missing or wrong.
 */
export function readSettings(environment: Environment): HostSettings {
  const number = (name: string, fallback: number, least: number, most: number) =>
    readNumber(environment, name, { fallback, least, most });
  return {
    bindAddress: environment["GANGWAY_HOST_ADDRESS"] || "127.0.0.1",
    port: number("GANGWAY_HOST_PORT", 8788, 0, 65_535),
    ticketKey: readTicketKey(environment),
    dataDir: environment["GANGWAY_HOST_DATA_DIR"] || join(tmpdir(), "gangway-host"),
    npm: {
      cli: readNpmCli(environment),
      registry: readRegistry(environment),
      tagTtlMs: number("GANGWAY_HOST_TAG_TTL_S", 3600, 0, 604_800) * 1000,
      maxInstallMs: number("GANGWAY_HOST_MAX_INSTALL_S", 600, 1, 3600) * 1000,
      environment: pick(environment, installerVariables),
    },
    maxProcesses: number("GANGWAY_HOST_MAX_PROCESSES", 16, 1, 1000),
    idleMs: number("GANGWAY_HOST_IDLE_MS", 60_000, 0, 86_400_000),
    stopGraceMs: number("GANGWAY_HOST_STOP_GRACE_MS", 2000, 10, 60_000),
    drainMs: number("GANGWAY_HOST_DRAIN_MS", 5000, 0, 900_000),
    maxBodyBytes: number("GANGWAY_HOST_MAX_BODY_BYTES", 4 * 1024 * 1024, 1024, 64 * 1024 * 1024),
    maxFrameBytes: number("GANGWAY_HOST_MAX_FRAME_BYTES", 32 * 1024 * 1024, 1024, 256 * 1024 * 1024),
    development: readFlag(environment, "GANGWAY_HOST_DEVELOPMENT"),
    logLevel: readLogLevel(environment),
  };
}

function readNumber(
  environment: Environment,
  name: string,
  range: { fallback: number; least: number; most: number },
): number {
  const text = environment[name];
  if (text === undefined || text === "") return range.fallback;
  const parsed = whole(range.least, range.most).safeParse(text);
  if (parsed.success) return parsed.data;
  throw new SettingsError(
    `${name} must be a whole number from ${range.least} to ${range.most}; unset it for the default, ${range.fallback}.`,
  );
}

function readTicketKey(environment: Environment): HostSettings["ticketKey"] {
  const name = "GANGWAY_HOST_TICKET_KEY";
  const remedy = `set it to the public half (kty, crv, x) of the edge's Ed25519 ticket key, as one line of JWK JSON.`;
  const text = environment[name];
  if (!text) throw new SettingsError(`${name} is missing; ${remedy}`);
  const key = publicKeySchema.safeParse(parseJson(text));
  if (!key.success) throw new SettingsError(`${name} is no public Ed25519 JWK; ${remedy}`);
  if ("d" in key.data)
    throw new SettingsError(`${name} holds a private key, which a host must not have; ${remedy}`);
  return key.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema's refusal names the variable; the parser's message could show its value.
  }
}

function readRegistry(environment: Environment): string | null {
  const text = environment["GANGWAY_HOST_NPM_REGISTRY"];
  if (!text) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new SettingsError("GANGWAY_HOST_NPM_REGISTRY must be an http or https URL; unset it for npm's default registry.");
}

function readNpmCli(environment: Environment): string {
  const given = environment["GANGWAY_HOST_NPM_CLI"];
  if (given) {
    if (isReadable(given)) return given;
    throw new SettingsError(`GANGWAY_HOST_NPM_CLI names no readable file; set it to the path of npm's bin/npm-cli.js.`);
  }
  for (const folder of (environment["PATH"] ?? "").split(delimiter)) {
    const candidate = join(folder, "npm");
    if (folder !== "" && isReadable(candidate)) return realpathSync(candidate);
  }
  throw new SettingsError("npm is not on PATH; install it, or set GANGWAY_HOST_NPM_CLI to the path of npm's bin/npm-cli.js.");
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false; // Absent and unreadable are one to the caller.
  }
}

function readFlag(environment: Environment, name: string): boolean {
  const text = environment[name] ?? "";
  if (text === "" || text === "0" || text === "false") return false;
  if (text === "1" || text === "true") return true;
  throw new SettingsError(`${name} must be 1, true, 0 or false; unset it for production.`);
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

function readLogLevel(environment: Environment): string {
  const level = environment["GANGWAY_HOST_LOG_LEVEL"] || "info";
  if (levels.includes(level)) return level;
  throw new SettingsError(`GANGWAY_HOST_LOG_LEVEL must be one of ${levels.join(", ")}; unset it for info.`);
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
