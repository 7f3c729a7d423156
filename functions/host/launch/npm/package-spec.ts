import type { Launch } from "../../../../shared/run-contract/contract.ts";
import { isExactVersion } from "../../../../shared/policy/npm-spec.ts";

/** One package of the registry; `version` is exact, or a tag, or null for what `latest` means. */
export interface PackageSpec {
  readonly name: string;
  readonly version: string | null;
  readonly terms: InstallTerms;
}

/** How a package may be installed; entries that came about otherwise are not used. */
export interface InstallTerms {
  readonly allowScripts: boolean;
  /** Milliseconds that a version must have been published; null = none. */
  readonly minReleaseAgeMs: number | null;
}

/** No scripts, versions of any age. */
export const plainTerms: InstallTerms = { allowScripts: false, minReleaseAgeMs: null };

/** The terms that a run names. */
export function termsOf(install: Launch["install"]): InstallTerms {
  return {
    allowScripts: install?.allow_scripts ?? false,
    minReleaseAgeMs: install?.min_release_age_ms ?? null,
  };
}

/** Nothing that was published later may be installed; null = whatever there is. */
export function publishedBefore({ minReleaseAgeMs }: InstallTerms, now: number): Date | null {
  // An age beyond 1970 is one that nothing has; a date far before that cannot be written.
  return minReleaseAgeMs === null ? null : new Date(Math.max(0, now - minReleaseAgeMs));
}

/** An exact version never changes what it means; a tag does. */
export function isExact(version: string | null): version is string {
  return version !== null && isExactVersion(version);
}

/** `name@version` as npm takes it. */
export function specText({ name, version }: Pick<PackageSpec, "name" | "version">): string {
  return `${name}@${version ?? "latest"}`;
}

/**
 * One path segment that belongs to this package, version and terms alone. It holds no percent sign:
 * Node reads a path that a module is imported by as part of a URL.
 */
export function entryName(spec: PackageSpec): string {
  const { allowScripts, minReleaseAgeMs } = spec.terms;
  // A plus of the spec itself is written as =2B.
  const scripts = allowScripts ? "+scripts" : "";
  const age = minReleaseAgeMs === null ? "" : `+age-${minReleaseAgeMs}`;
  const text = encodeURIComponent(specText(spec)).replaceAll("%40", "@").replaceAll("%", "=");
  return text + scripts + age;
}

/** What an entry's name says, for people. */
export function entryText(name: string): string {
  return decodeURIComponent(name.replaceAll("=", "%"));
}
