import { describeLaunch, parseLaunch } from "../../../shared/policy/launch.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { imageText } from "./docker/run-argv.ts";
import { pythonSpecText } from "./uvx/python-spec-text.ts";

/** The launch as a config would write it for its command, up to the server's own arguments. */
export function commandArgs(launch: Launch): string[] {
  const { runner, package: name, version, bin } = launch;
  switch (runner) {
    case "npx": {
      const spec = version === null ? name : `${name}@${version}`;
      return bin === null ? ["-y", spec] : ["-y", "-p", spec, "--", bin];
    }
    case "uvx":
      return bin === null ? [pythonSpecText(launch)] : ["--from", pythonSpecText(launch), bin];
    case "docker":
      return ["run", "-i", imageText(launch)];
  }
}

/** The command for messages, the values of its arguments left out. */
export function describeCommand(launch: Launch): string {
  const parsed = parseLaunch(launch.runner, [...commandArgs(launch), ...launch.args]);
  return parsed.ok ? describeLaunch(parsed.value) : `${launch.runner} ${launch.package}`;
}
