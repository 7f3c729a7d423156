import { isExactVersion } from "../../../../shared/policy/npm-spec.ts";

/** One package of the registry; `version` is exact, or a tag, or null for what `latest` means. */
export interface PackageSpec {
  readonly name: string;
  readonly version: string | null;
}

/** An exact version never changes what it means; a tag does. */
export function isExact(version: string | null): version is string {
  return version !== null && isExactVersion(version);
}

/** `name@version` as npm takes it. */
export function specText({ name, version }: PackageSpec): string {
  return `${name}@${version ?? "latest"}`;
}

/** One path segment that belongs to this package and version alone. */
export function entryName(spec: PackageSpec): string {
  return encodeURIComponent(specText(spec));
}
