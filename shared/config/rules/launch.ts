import { blocking, failing, info, warning, type Rule } from "./rule.ts";

/** GW2xx: what a stdio server would run. */
export const launchRules = {
  GW201: blocking(
    "The command is not one that Gangway runs.",
    "Use npx, uvx or docker with a published package or image.",
    "COMMAND_NOT_ALLOWED",
  ),
  GW202: warning(
    "The command was rewritten to one that Gangway runs.",
    "Write the rewritten command into the config.",
  ),
  GW203: blocking(
    "The arguments are outside the command's allowed form.",
    "Name a package or image of a registry; only the documented options may stand before it.",
    "LAUNCH_NOT_ALLOWED",
  ),
  GW204: warning(
    "The package or image is not pinned to an exact version.",
    "Name an exact version (`@1.2.3`, `==1.2.3`) or a digest: otherwise what runs may change.",
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
  GW208: blocking(
    "The program to run is a shell or an interpreter.",
    "Name a program that the package itself declares.",
    "LAUNCH_NOT_ALLOWED",
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
} as const satisfies Record<string, Rule>;
