import { accept, at, refuse, type Check, type Refusal } from "./check.ts";
import { readDockerOptions, type DockerOptions, type DockerRules } from "./docker-options.ts";
import { parseImage, type ImageRules } from "./image.ts";
import type { EnvNameReason, LaunchReason } from "./reasons.ts";

/** What an accepted `docker` argv starts. */
export interface DockerLaunch extends DockerOptions {
  readonly runner: "docker";
  /** The image's registry and path. */
  readonly package: string;
  /** The digest, else the tag, else null. */
  readonly version: string | null;
  /** A digest is given. */
  readonly pinned: boolean;
  readonly tag: string | null;
  readonly digest: string | null;
  readonly bin: null;
  /** The arguments of the image's own program, as written. */
  readonly args: readonly string[];
  /** Where the image stands among the arguments of the command, counted from 0. */
  readonly packageIndex: number;
}

export type DockerLaunchRules = DockerRules & ImageRules;

/**
 * Reads `docker run [-i|--interactive] [--rm] [--init] [-e|--env NAME[=VALUE]]…
 * [-v|--volume SOURCE:TARGET[:ro]]… [--mount type=bind,…]… [--name NAME] [--network bridge] IMAGE
 * args…`, options in any order. A missing `-i` or `--rm` is told in the value, not refused, and so
 * are options that change nothing. What follows the image is the container's and passes as it is.
 */
export function parseDockerArgs(
  args: readonly string[],
  rules: DockerLaunchRules = {},
): Check<DockerLaunch, LaunchReason | EnvNameReason> {
  if (args[0] !== "run") return at(0, notRun());
  const options = readDockerOptions(args, 1, rules);
  if (!options.ok) return options;
  const { next, ...settings } = options.value;
  const text = args[next];
  if (text === undefined) return missingImage();
  const image = parseImage(text, rules);
  if (!image.ok) return at(next, image);
  const { name, tag, digest } = image.value;
  return accept({
    runner: "docker",
    package: name,
    version: digest ?? tag,
    pinned: digest !== null,
    tag,
    digest,
    bin: null,
    args: args.slice(next + 1),
    packageIndex: next,
    ...settings,
  });
}

/**
 * Checks that every bare `-e NAME` is declared in the config's own env: docker would else copy the
 * value from the environment of whoever starts it.
 */
export function checkBareEnvNames(
  launch: DockerLaunch,
  env: Readonly<Record<string, string>>,
): Check<DockerLaunch, EnvNameReason> {
  const missing = launch.envNames.filter((name) => !Object.hasOwn(env, name));
  if (missing.length === 0) return accept(launch);
  return refuse(
    "env-not-declared",
    `docker run -e names ${missing.join(", ")}, which the server's env does not have.`,
    "Add the names to `env`; nothing is taken from the environment of the host.",
  );
}

function notRun(): Refusal<LaunchReason> {
  return refuse(
    "docker-not-run",
    "The first argument of docker is not run.",
    "Write `run -i --rm IMAGE`; no option of docker itself and no other of its commands may stand.",
  );
}

function missingImage(): Refusal<LaunchReason> {
  return refuse(
    "image-missing",
    "docker run names no image.",
    "Write the image after the options, as in `ghcr.io/owner/name:1.2.3`.",
  );
}
