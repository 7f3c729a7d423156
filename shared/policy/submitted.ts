import { accept, refuse, type Check } from "./check.ts";
import { hostListed, type ListedHost } from "./host-list.ts";
import { packageKey, type LaunchCheck, type ParsedLaunch } from "./launch.ts";
import { packageListed, type PackagePattern } from "./package-lists.ts";
import { checkPinned } from "./pinning.ts";
import type { EnvNameReason, LaunchReason, PolicyReason } from "./reasons.ts";

/** What an operator lets servers of submitted configs be. */
export interface SubmittedRules {
  /** Hosts of remote servers; null = every host that the URL rules let pass. */
  readonly hosts: readonly ListedHost[] | null;
  /** Packages and images of stdio servers; null = all. */
  readonly packages: readonly PackagePattern[] | null;
  /** `strict` asks for exact versions and digests. */
  readonly pinning: "strict" | "warn";
}

/** Checks a submitted remote server's final URL against the tenant's list of hosts. */
export function checkSubmittedUrl(
  url: URL,
  { hosts }: Pick<SubmittedRules, "hosts">,
): Check<URL, PolicyReason> {
  if (hosts === null || hostListed(url, hosts)) return accept(url);
  return refuse(
    "host-not-listed",
    `The host ${url.host} is not one that submitted configs may name.`,
    `Ask the operator to add \`${url.host}\` to the tenant's policy.hosts, or to configure the server.`,
  );
}

/** Checks a submitted launch against the tenant's packages and pinning; an approved one is its own permission. */
export function checkSubmittedLaunch(
  launch: ParsedLaunch,
  rules: Pick<SubmittedRules, "packages" | "pinning"> & { readonly approved: boolean },
): Check<ParsedLaunch, LaunchReason | EnvNameReason | PolicyReason> {
  if (rules.approved) return accept(launch);
  if (rules.packages !== null && !packageListed(launch, rules.packages)) {
    const key = packageKey(launch);
    return refuse(
      "package-not-listed",
      `The package ${key} is not one that submitted configs may start.`,
      `Ask the operator to add \`${key}\` to the tenant's policy.packages, or to approve the whole launch.`,
    );
  }
  return checkPinning(launch, rules.pinning);
}

/** Checks that a launch names an exact version where the tenant asks for that. */
export function checkPinning(launch: ParsedLaunch, pinning: "strict" | "warn"): LaunchCheck {
  return pinning === "strict" ? checkPinned(launch) : accept(launch);
}
