import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { refuseInterpreter } from "../../../../shared/policy/bin-name.ts";
import { pythonName } from "../../../../shared/policy/python-spec.ts";
import { launchNotAllowed } from "../check-launch.ts";
import type { InstalledTool } from "./tool-entries.ts";

/**
 * The program of a Python package: `bin` by name if given, else the one that has the package's
 * name (uvx's own rule), else the only one.
 * @throws GatewayError LAUNCH_NOT_ALLOWED for a name that the package does not declare or that is
 * an interpreter's, PROCESS_START_FAILED when the package leaves the choice open.
 */
export function chooseProgram(tool: InstalledTool, bin: string | null): string {
  const name = bin ?? defaultProgram(tool);
  const interpreter = refuseInterpreter(name);
  if (interpreter !== null) throw launchNotAllowed(interpreter);
  if (tool.programs.includes(name)) return name;
  throw launchNotAllowed({
    reason: "bin-not-declared",
    message: `${tool.name} declares no program '${name}'; it declares ${tool.programs.join(", ") || "none"}.`,
    hint: "Name a program that the package itself declares, or none.",
  });
}

function defaultProgram({ name, programs }: InstalledTool): string {
  const namesake = programs.find((program) => pythonName(program) === name);
  if (namesake !== undefined) return namesake;
  const [first, ...more] = programs;
  if (first !== undefined && more.length === 0) return first;
  const names = programs.join(", ");
  const trouble =
    first === undefined
      ? "declares no program"
      : `declares several programs (${names}) and none has its name`;
  throw new GatewayError("PROCESS_START_FAILED", `The package ${name} ${trouble}.`, {
    hint:
      first === undefined
        ? "Use a package that holds an MCP server."
        : `Write uvx --from ${name} PROGRAM with one of: ${names}.`,
    details: { declared: [...programs] },
  });
}
