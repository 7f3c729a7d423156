import type { CommandName } from "../config/server-config.ts";
import { accept, refuse, type Check } from "./check.ts";
import { splitRegistry } from "./image.ts";
import { packageKey, parseLaunch, type ParsedLaunch } from "./launch.ts";
import type { PolicyReason } from "./reasons.ts";
import { shown } from "./shown.ts";

/** An entry of a package list. */
export interface PackagePattern {
  /** A `packageKey`, or its beginning where `isPrefix`. */
  readonly key: string;
  readonly isPrefix: boolean;
  /** One version (or digest) of it; null = every version. */
  readonly version: string | null;
}

/** What stands before the `*` of a scope. */
const npmPrefix = /^@[a-z0-9_-][a-z0-9._-]*\/[a-z0-9._-]*$/;

/**
 * Reads `npm:name`, `npm:@scope/name`, `npm:@scope/*`, `pypi:name`, `docker:image`,
 * `docker:owner/*` or `docker:registry/owner/*`; a name may have an exact version or digest behind
 * it. `*` stands at the end alone and inside a scope or owner, since names without one belong to
 * whoever registers them first.
 */
export function parsePackagePattern(text: string): Check<PackagePattern, PolicyReason> {
  const [kind = "", ...rest] = text.split(":");
  const name = rest.join(":");
  if (name.endsWith("*")) return readPrefix(text, kind, name.slice(0, -1));
  const launch = launchOf(kind, name);
  if (launch === null) return invalid(text);
  if (launch.version !== null && !launch.pinned) return invalid(text);
  return accept({ key: packageKey(launch), isPrefix: false, version: launch.version });
}

/** Whether a launch's package is in a list, in a version that the list allows. */
export function packageListed(launch: ParsedLaunch, patterns: readonly PackagePattern[]): boolean {
  return patterns.some(
    (pattern) =>
      matchesKey(launch, pattern) &&
      (pattern.version === null || (launch.pinned && launch.version === pattern.version)),
  );
}

/**
 * Whether a launch may run a package that a list takes out of use. One that names no exact version
 * could run any, so that it is taken out as well where only one version is.
 */
export function packageRevoked(launch: ParsedLaunch, patterns: readonly PackagePattern[]): boolean {
  return patterns.some(
    (pattern) =>
      matchesKey(launch, pattern) &&
      (pattern.version === null || !launch.pinned || launch.version === pattern.version),
  );
}

function matchesKey(launch: ParsedLaunch, { key, isPrefix }: PackagePattern): boolean {
  const own = packageKey(launch);
  return isPrefix ? own.startsWith(key) && own.length > key.length : own === key;
}

function readPrefix(
  text: string,
  kind: string,
  prefix: string,
): Check<PackagePattern, PolicyReason> {
  const isForm = kind === "npm" ? npmPrefix.test(prefix) : kind === "docker" && hasOwner(prefix);
  // What begins a package's name is one with something behind it.
  const launch = isForm ? launchOf(kind, `${prefix}x`) : null;
  if (launch === null) return invalid(text);
  return accept({ key: packageKey(launch).slice(0, -1), isPrefix: true, version: null });
}

/** Whether more than a registry stands before the `*`. */
function hasOwner(prefix: string): boolean {
  return splitRegistry(prefix).path.lastIndexOf("/") > 0;
}

const runners: Readonly<Record<string, (name: string) => readonly [CommandName, string[]]>> = {
  npm: (name) => ["npx", ["--", name]],
  pypi: (name) => ["uvx", [name]],
  docker: (name) => ["docker", ["run", name]],
};

/** The launch that starts the package by itself; null where the text is no such package. */
function launchOf(kind: string, name: string): ParsedLaunch | null {
  const runner = Object.hasOwn(runners, kind) ? runners[kind] : undefined;
  if (runner === undefined || name.includes("[")) return null;
  const launch = parseLaunch(...runner(name));
  return launch.ok ? launch.value : null;
}

function invalid(text: string): Check<never, PolicyReason> {
  return refuse(
    "package-entry-invalid",
    `${shown(text)} is no entry of a package list.`,
    "Write `npm:name`, `npm:@scope/*`, `pypi:name`, `docker:registry/owner/name` or `docker:registry/owner/*`, with an exact version or digest where only that one is meant.",
  );
}
