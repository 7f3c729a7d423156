import { createPublicKey } from "node:crypto";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import * as z from "zod";

/** A setting that the host cannot start with; `message` is one line naming variable and remedy. */
export class SettingsError extends TypeError {
  override readonly name = "SettingsError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface WholeNumber {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
  /** What the default is, where it is not one number for all machines. */
  readonly byDefault?: string;
}

export function readNumber(environment: Environment, name: string, range: WholeNumber): number {
  const text = environment[name];
  if (text === undefined || text === "") return range.fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.least && value <= range.most) return value;
  throw new SettingsError(
    `${name} must be a whole number from ${range.least} to ${range.most}; unset it for the default, ${range.byDefault ?? range.fallback}.`,
  );
}

export function readFlag(environment: Environment, name: string): boolean {
  const text = environment[name] ?? "";
  if (text === "" || text === "0" || text === "false") return false;
  if (text === "1" || text === "true") return true;
  throw new SettingsError(`${name} must be 1, true, 0 or false; unset it for false.`);
}

export function readChoice(
  environment: Environment,
  name: string,
  choices: readonly string[],
): string {
  const [fallback = ""] = choices;
  const text = environment[name] || fallback;
  if (choices.includes(text)) return text;
  throw new SettingsError(
    `${name} must be one of ${choices.join(", ")}; unset it for ${fallback}.`,
  );
}

const publicKeySchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().min(1),
});
export type PublicKey = z.infer<typeof publicKeySchema>;

export function readPublicKey(environment: Environment, name: string): PublicKey {
  const remedy = `set it to the public half (kty, crv, x) of the edge's Ed25519 ticket key, as JWK JSON in one line.`;
  const text = environment[name];
  if (!text) throw new SettingsError(`${name} is missing; ${remedy}`);
  const key = publicKeySchema.safeParse(parseJson(text));
  if (!key.success || !isImportable(key.data))
    throw new SettingsError(`${name} is no public Ed25519 JWK; ${remedy}`);
  if (!("d" in key.data)) return key.data;
  throw new SettingsError(`${name} holds a private key, which a host must not have; ${remedy}`);
}

/** The bytes of `x` are checked here too: it has to be 32 of them. */
function isImportable({ kty, crv, x }: PublicKey): boolean {
  try {
    createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    return true;
  } catch {
    return false; // The caller's refusal names the variable; Node's message names nothing of use.
  }
}

export function readUrl(environment: Environment, name: string): string | null {
  const text = environment[name];
  if (!text) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new SettingsError(`${name} must be an http or https URL; unset it for the default.`);
}

/** The path of npm's own program: the one given, else the one that `npm` on PATH leads to. */
export function readNpmCli(environment: Environment, name: string): string {
  const given = environment[name];
  const remedy = `set ${name} to the path of npm's bin/npm-cli.js`;
  if (given) {
    if (isReadable(given)) return given;
    throw new SettingsError(`${name} names no readable file; ${remedy}.`);
  }
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.map((folder) => join(folder, "npm")).find(isReadable);
  if (found !== undefined) return realpathSync(found);
  throw new SettingsError(`npm is not on PATH; install it, or ${remedy}.`);
}

/**
 * The path of a program that the host may do without: the one given, else the one on PATH; null =
 * there is none.
 */
export function findProgram(
  environment: Environment,
  { name, variable }: { readonly name: string; readonly variable: string },
): string | null {
  const given = environment[variable];
  if (given) {
    if (isAbsolute(given) && isExecutable(given)) return given;
    throw new SettingsError(
      `${variable} names no program; set it to the absolute path of ${name}, or unset it for the one on PATH.`,
    );
  }
  const folders = (environment["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** The variables of those names that are set. */
export function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller's refusal names the variable; the parser's message could show its value.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false; // Absent and unreadable are one to the caller.
  }
}
