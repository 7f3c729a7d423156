import { refuse, type Refusal } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { optionName } from "./shown.ts";

const optionHint =
  "Before the image only -i, --rm, --init, -e NAME, -e NAME=VALUE, and -v or --mount under the policy's folders may stand, each by itself.";
const portHint = "Remove it: a stdio server listens on no port.";
const hostHint = "Remove it: the host that runs the container decides this.";
/** Remedies for options that honest configs hold. */
const optionHints: ReadonlyMap<string, string> = new Map([
  ["--env-file", "Name the file in the server's `env_file`, and its variables by `-e NAME`."],
  ["-d", "Remove it: a server in the background cannot be talked to."],
  ["--detach", "Remove it: a server in the background cannot be talked to."],
  ["-p", portHint],
  ["-P", portHint],
  ["--publish", portHint],
  ["--name", hostHint],
  ["--network", hostHint],
  ["--net", hostHint],
  ["--memory", hostHint],
  ["--cpus", hostHint],
  ["--pull", hostHint],
  ["--platform", hostHint],
  ["--user", hostHint],
  ["-u", hostHint],
]);

/** The refusal of an option of `docker run` that is outside the allowed form. */
export function refuseDockerOption(arg: string): Refusal<LaunchReason> {
  if (asksForTerminal(arg)) {
    return refuse(
      "docker-tty",
      "docker run is given a terminal, which garbles the protocol.",
      "Write -i in place of -t or -it.",
    );
  }
  const name = optionName(arg);
  return refuse(
    "option-not-allowed",
    `docker run may not be given ${name}.`,
    optionHints.get(name) ?? optionHint,
  );
}

/** `-t`, `--tty`, and clusters such as `-it`. */
function asksForTerminal(arg: string): boolean {
  if (arg.startsWith("--")) return /^--tty(?:$|=)/.test(arg);
  return /^-[a-zA-Z]+$/.test(arg) && arg.includes("t");
}
