import { delimiter, join } from "node:path";
import { pythonName } from "../../../shared/policy/python-spec.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { programPath } from "../process/environment.ts";
import { describeCommand } from "./command-args.ts";
import type { InstallCache } from "./install-cache.ts";
import { type PackageSpec, termsOf } from "./npm/package-spec.ts";
import type { Prepare } from "./prepare.ts";
import { chooseProgram } from "./uvx/choose-program.ts";
import { programArgv } from "./uvx/program-argv.ts";
import { withExtras } from "./uvx/python-spec-text.ts";
import type { InstalledTool } from "./uvx/tool-entries.ts";

/**
 * `uvx` servers: the package is installed once into an environment of its own and its program is
 * started directly by that environment's Python, so that no package runner stays resident.
 */
export function prepareUvx(tools: InstallCache<InstalledTool>): Prepare {
  return async (launch, signal) => {
    const tool = await tools.get(specOf(launch), signal);
    const argv = await programArgv(tool.folder, chooseProgram(tool, launch.bin));
    return {
      launch,
      argv: [...argv, ...launch.args],
      command: describeCommand(launch),
      hold: () => tools.hold(tool),
      environment: {
        // As uvx does: programs of the environment find each other.
        PATH: [join(tool.folder, "bin"), programPath].join(delimiter),
        PYTHONDONTWRITEBYTECODE: "1",
      },
    };
  };
}

/** Equal packages have one entry, however a config spells them. */
function specOf({ package: name, version, extras = [], install }: Launch): PackageSpec {
  const names = [...new Set(extras.map((extra) => pythonName(extra)))].sort();
  const spelled = { package: pythonName(name), extras: names, version: null };
  const terms = { ...termsOf(install), allowScripts: false };
  return { name: withExtras(spelled), version: version === "latest" ? null : version, terms };
}
