import { blocking, failing, info, noted, ofPolicy, warning, type Rule } from "./rule.ts";

const refusedLaunch =
  "A launch that is refused (GW201, GW203, GW208) is judged no further: the other rules on launches (GW204 to GW207, GW211, GW213, GW216, GW217, GW220, GW310) look at those of an allowed form. Environment names, credentials and placeholders are told all the same.";

/** GW2xx: what a stdio server would run. */
export const launchRules = {
  GW201: noted(
    blocking(
      "The command is not one that Gangway runs.",
      "Use npx, uvx or docker with a published package or image.",
      "COMMAND_NOT_ALLOWED",
    ),
    refusedLaunch,
  ),
  GW202: warning(
    "The command was rewritten to one that Gangway runs.",
    "Write the rewritten command into the config.",
  ),
  GW203: noted(
    blocking(
      "The arguments are outside the command's allowed form.",
      "Name a package or image of a registry; only the documented options may stand before it.",
      "LAUNCH_NOT_ALLOWED",
    ),
    refusedLaunch,
  ),
  GW204: noted(
    warning(
      "The package or image is not pinned to an exact version.",
      "Name an exact version (`@1.2.3`, `==1.2.3`) or a digest: otherwise what runs may change.",
    ),
    "Registries do not let an exact version of a package be replaced, so it counts as pinned; a tag of an image can be moved, so only a digest does.",
  ),
  GW205: warning(
    "npx without -y waits for an answer on first use.",
    "Put `-y` before the package.",
  ),
  GW206: warning("docker run without -i gives the server no input.", "Add `-i` after `run`."),
  GW207: warning(
    "docker run without --rm leaves stopped containers behind.",
    "Add `--rm` after `run`.",
  ),
  GW208: noted(
    blocking(
      "The program to run is a shell or an interpreter.",
      "Name a program that the package itself declares.",
      "LAUNCH_NOT_ALLOWED",
    ),
    refusedLaunch,
  ),
  GW209: blocking(
    "An environment variable is reserved.",
    "Remove it: variables of this name steer the launcher and not the server.",
    "LAUNCH_NOT_ALLOWED",
  ),
  GW210: blocking(
    "`server` holds a path.",
    "Write a package name, or a label together with command and args.",
  ),
  GW211: warning(
    "docker forwards a variable that `env` does not set.",
    "Add the variable to `env`; the host's own environment is never forwarded.",
  ),
  GW212: failing(
    "The deployment has no host that runs this command.",
    "Use a command that the deployment has, or ask its operator for a host.",
  ),
  GW213: info(
    "The server is a local bridge to a remote server.",
    "Name the remote server directly: `transport: http` and `url`.",
  ),
  GW214: warning(
    "A working directory cannot be chosen.",
    "Remove it: every server starts in an empty directory of its own.",
  ),
  GW215: blocking(
    "The path of the env file leaves the config's folder.",
    "Use a relative path inside the folder of the config.",
  ),
  GW216: noted(
    warning(
      "The server is given a path of the author's machine.",
      "Remove it, or use a server that needs no local files: a hosted server has an empty folder of its own.",
    ),
    "Told for home folders (`/Users/…`, `/home/…`, `~/…`), mounted volumes and drive letters in args and env; a container may have a `/home` of its own.",
  ),
  GW217: warning(
    "docker does not forward a variable that `env` sets.",
    "Add `-e NAME` before the image: a container gets the named variables and no others.",
  ),
  GW218: noted(
    failing(
      "The tenant's policy does not let submitted configs start this.",
      "Have the operator list the package under `policy.packages`, or approve the launch.",
    ),
    ofPolicy,
  ),
  GW219: noted(
    failing(
      "A launch that is not approved refers to secrets.",
      "Have the operator list the whole launch under `approved_launches` (`gangway approve` prints the entry), or give the values in `inputs`.",
    ),
    `${ofPolicy} Names that the server lists under \`inputs\` are left out: requests give their values.`,
  ),
  GW220: info(
    "An option before the package asks for what the host decides.",
    "Remove it: it changes nothing.",
  ),
} as const satisfies Record<string, Rule>;
