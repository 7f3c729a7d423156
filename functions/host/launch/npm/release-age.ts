import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { type PackageSpec, specText } from "./package-spec.ts";

/** What npm answers when no version is left: of those that fit, and at all. */
const foundNone = new Set<unknown>(["ETARGET", "ENOVERSIONS"]);
const dayMs = 24 * 60 * 60 * 1000;

/**
 * npm tells of no version at all when those that there are are too young: then the policy is named.
 * Any other failure is left as it is.
 */
export function explainAge(error: unknown, spec: PackageSpec): unknown {
  const { minReleaseAgeMs } = spec.terms;
  if (minReleaseAgeMs === null || !(error instanceof GatewayError)) return error;
  if (!foundNone.has(error.details?.["npm_code"])) return error;
  const days = Number((minReleaseAgeMs / dayMs).toFixed(2));
  const told = `No version of ${specText(spec)}, or of a package that it depends on, has been published for ${days} days, as the tenant's policy asks.`;
  return new GatewayError("LAUNCH_NOT_ALLOWED", told, {
    hint: "Use an older version, wait, or lower `min_release_age_days` in the tenant's policy; if there is no such version at all, correct it.",
    details: { ...error.details, reason: "release-too-young", min_release_age_days: days },
    cause: error,
  });
}
