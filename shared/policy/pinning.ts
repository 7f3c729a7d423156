import { accept, at, refuse } from "./check.ts";
import { packageSpec, type LaunchCheck, type ParsedLaunch } from "./launch.ts";

/**
 * Checks that a launch names exactly one version: semantic version, `==version` or digest. A
 * newest version (or digest) that the caller knows makes the hint one to copy.
 */
export function checkPinned<Launch extends ParsedLaunch>(
  launch: Launch,
  newest?: string,
): LaunchCheck<Launch> {
  if (launch.pinned) return accept(launch);
  const what =
    launch.version === null ? "names no version" : `names ${launch.version}, which moves`;
  const refusal = refuse(
    "not-pinned",
    `The launch of ${launch.package} ${what}.`,
    hintOf(launch, newest),
  );
  return at(launch.packageIndex, refusal);
}

function hintOf(launch: ParsedLaunch, newest: string | undefined): string {
  if (newest !== undefined) return `Write \`${packageSpec(launch, newest)}\`.`;
  if (launch.runner === "docker") {
    return `Write the digest, as in \`${packageSpec(launch, "sha256:…")}\`; \`docker buildx imagetools inspect ${packageSpec(launch)}\` tells it.`;
  }
  const source =
    launch.runner === "npx"
      ? `\`npm view ${packageSpec(launch)} version\` tells it`
      : "the package's page on the index tells it";
  return `Write an exact version, as in \`${packageSpec(launch, "1.2.3")}\`; ${source}.`;
}
