import type { ParsedLaunch } from "./launch.ts";
import { packageRevoked, parsePackagePattern, type PackagePattern } from "./package-lists.ts";

/** What is taken out of use at once, whatever the deployment file says. */
export interface Revocations {
  /** Ids of API keys and of token issuers. */
  readonly keys: ReadonlySet<string>;
  readonly tenants: ReadonlySet<string>;
  /** `https://host[:port]`, as the URL parser writes an origin. */
  readonly origins: ReadonlySet<string>;
  readonly packages: readonly PackagePattern[];
}

export const nothingRevoked: Revocations = {
  keys: new Set(),
  tenants: new Set(),
  origins: new Set(),
  packages: [],
};

const lists = ["keys", "tenants", "origins", "packages"] as const;

/**
 * Reads `{"keys": […], "tenants": […], "origins": […], "packages": […]}`, each list optional, from
 * JSON. Null when anything in it cannot be read: part of it might be what had to be taken out.
 */
export function parseRevocations(text: string): Revocations | null {
  const read = parseObject(text);
  if (read === null) return null;
  const origins = read.origins.map(originOf);
  const packages = read.packages.map(parsePackagePattern);
  if (origins.includes(null) || packages.some(({ ok }) => !ok)) return null;
  return {
    keys: new Set(read.keys),
    tenants: new Set(read.tenants),
    origins: new Set(origins.flatMap((origin) => origin ?? [])),
    packages: packages.flatMap((pattern) => (pattern.ok ? [pattern.value] : [])),
  };
}

/** A WebSocket's URL counts by its https kin. */
export function originRevoked(url: URL, { origins }: Revocations): boolean {
  return origins.size > 0 && origins.has(url.origin.replace(/^ws/, "http"));
}

export function launchRevoked(launch: ParsedLaunch, { packages }: Revocations): boolean {
  return packageRevoked(launch, packages);
}

type Lists = Record<(typeof lists)[number], string[]>;

function parseObject(text: string): Lists | null {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const read: Lists = { keys: [], tenants: [], origins: [], packages: [] };
  for (const [name, items] of Object.entries(value)) {
    const list = lists.find((known) => known === name);
    if (list === undefined || !isTexts(items)) return null;
    read[list] = items;
  }
  return read;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // no object: the caller refuses it
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, pathname, search, hash, protocol } = new URL(text);
  const isOrigin = pathname === "/" && search === "" && hash === "" && /^https?:$/.test(protocol);
  return isOrigin ? origin : null;
}
