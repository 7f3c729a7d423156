import { checkBinName, refuseInterpreter } from "./bin-name.ts";
import { accept, at, refuse, type Check, type Refusal } from "./check.ts";
import { parsePythonSpec, type PythonSpec } from "./python-spec.ts";
import type { LaunchReason } from "./reasons.ts";
import { optionName } from "./shown.ts";

/** What an accepted `uvx` argv starts. */
export interface UvxLaunch extends PythonSpec {
  readonly runner: "uvx";
  /** The program that was named; null = the package's namesake program. */
  readonly bin: string | null;
  /** The server's own arguments, as written. */
  readonly args: readonly string[];
  /** Where the package stands among the arguments of the command, counted from 0. */
  readonly packageIndex: number;
}

/**
 * Reads `uvx PYSPEC args…` or `uvx --from PYSPEC BIN args…`; `--from=PYSPEC` is the same. What
 * follows PYSPEC or BIN is the server's and passes as it is.
 */
export function parseUvxArgs(args: readonly string[]): Check<UvxLaunch, LaunchReason> {
  const [first] = args;
  if (first === undefined) return missing("spec-missing");
  if (first === "--from") {
    const text = args[1];
    return text === undefined
      ? at(0, missing("option-value-missing"))
      : readFrom(args, { text, index: 1 });
  }
  if (first.startsWith("--from="))
    return readFrom(args, { text: first.slice("--from=".length), index: 0 });
  if (first.startsWith("-")) return at(0, notAllowed(first));
  return readPackage(args, first);
}

function readPackage(args: readonly string[], text: string): Check<UvxLaunch, LaunchReason> {
  const spec = parsePythonSpec(text);
  if (!spec.ok) return at(0, spec);
  // uvx runs the namesake program, and takes `python` for the interpreter itself, after --from as well.
  const interpreter = refuseInterpreter(spec.value.package);
  if (interpreter !== null) return at(0, interpreter);
  return accept({ runner: "uvx", ...spec.value, bin: null, args: args.slice(1), packageIndex: 0 });
}

function readFrom(
  args: readonly string[],
  from: { readonly text: string; readonly index: number },
): Check<UvxLaunch, LaunchReason> {
  const spec = parsePythonSpec(from.text);
  if (!spec.ok) return at(from.index, spec);
  const interpreter = refuseInterpreter(spec.value.package);
  if (interpreter !== null) return at(from.index, interpreter);
  const binIndex = from.index + 1;
  const text = args[binIndex];
  if (text === undefined) return missing("bin-missing");
  if (text.startsWith("-")) return at(binIndex, notAllowed(text));
  const bin = checkBinName(text);
  if (!bin.ok) return at(binIndex, bin);
  return accept({
    runner: "uvx",
    ...spec.value,
    bin: bin.value,
    args: args.slice(binIndex + 1),
    packageIndex: from.index,
  });
}

function notAllowed(arg: string): Refusal<LaunchReason> {
  const name = optionName(arg);
  const hint =
    name === "--python" || name === "-p"
      ? "Remove it: the host has one Python, and uvx takes it."
      : "Before the package only --from may stand, alone; options of the server go after its program.";
  return refuse(
    "option-not-allowed",
    `uvx may not be given ${name} before the package or program.`,
    hint,
  );
}

function missing(
  reason: "spec-missing" | "option-value-missing" | "bin-missing",
): Refusal<LaunchReason> {
  return reason === "bin-missing"
    ? refuse(
        reason,
        "uvx --from names no program to run.",
        "Write the program that the package declares after it.",
      )
    : refuse(reason, "uvx names no package.", "Write the package, as in `name==1.2.3`.");
}
