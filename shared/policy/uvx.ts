import { checkBinName, refuseInterpreter } from "./bin-name.ts";
import { accept, at, refuse, type Check, type Refusal } from "./check.ts";
import { parsePythonSpec, type PythonSpec } from "./python-spec.ts";
import type { LaunchReason } from "./reasons.ts";
import { optionName, shown } from "./shown.ts";

/** What an accepted `uvx` argv starts. */
export interface UvxLaunch extends PythonSpec {
  readonly runner: "uvx";
  /** The program that was named; null = the package's namesake program. */
  readonly bin: string | null;
  /** The server's own arguments, as written. */
  readonly args: readonly string[];
  /** Where the package stands among the arguments of the command, counted from 0. */
  readonly packageIndex: number;
  /** Names of options that ask for what the host decides by itself: they change nothing. */
  readonly ignored: readonly string[];
}

interface Options {
  /** PYSPEC of `--from`, with its index. */
  readonly from: { readonly text: string; readonly index: number } | null;
  readonly ignored: readonly string[];
  /** Index of the first argument that is no option. */
  readonly rest: number;
}

/**
 * Reads `uvx [--python VERSION] PYSPEC args…` or `uvx [--python VERSION] --from PYSPEC BIN args…`;
 * `--from=PYSPEC` is the same. What follows PYSPEC or BIN is the server's and passes as it is.
 */
export function parseUvxArgs(args: readonly string[]): Check<UvxLaunch, LaunchReason> {
  const options = readOptions(args);
  if (!options.ok) return options;
  return options.value.from === null
    ? readPackage(args, options.value)
    : readBin(args, options.value, options.value.from);
}

/** Versions of Python; a path or another interpreter would be code of the config's choice. */
const pythonVersion = /^3(?:\.[0-9]{1,2}(?:\.[0-9]{1,2})?)?$/;

function readOptions(args: readonly string[]): Check<Options, LaunchReason> {
  let from: Options["from"] = null;
  const ignored: string[] = [];
  let rest = 0;
  for (let arg = args[0]; arg?.startsWith("-") === true; arg = args[rest]) {
    const option = readOption(args, rest);
    if (!option.ok) return option;
    const { name, text, index } = option.value;
    if (name !== "--from") ignored.push(name);
    else if (from === null) from = { text, index };
    else return at(rest, repeated());
    rest = index + 1;
  }
  return accept({ from, ignored, rest });
}

/** `--from PYSPEC`, `--python VERSION`, `-p VERSION`, or joined by `=`; the index is the value's. */
function readOption(
  args: readonly string[],
  start: number,
): Check<{ name: string; text: string; index: number }, LaunchReason> {
  const arg = args[start] ?? "";
  const [name = "", ...joined] = arg.startsWith("--") ? arg.split("=") : [arg];
  const isPython = name === "--python" || name === "-p";
  if (name !== "--from" && !isPython) return at(start, notAllowed(arg));
  const index = joined.length > 0 ? start : start + 1;
  const text = joined.length > 0 ? joined.join("=") : args[index];
  if (text === undefined) return at(start, missingValue(name));
  if (isPython && !pythonVersion.test(text)) return at(index, notPython(text));
  return accept({ name, text, index });
}

function readPackage(
  args: readonly string[],
  { rest, ignored }: Options,
): Check<UvxLaunch, LaunchReason> {
  const text = args[rest];
  if (text === undefined) return missingPackage();
  const spec = readSpec(text, rest);
  if (!spec.ok) return spec;
  const own = { bin: null, args: args.slice(rest + 1), packageIndex: rest, ignored };
  return accept({ runner: "uvx", ...spec.value, ...own });
}

function readBin(
  args: readonly string[],
  { rest, ignored }: Options,
  from: { readonly text: string; readonly index: number },
): Check<UvxLaunch, LaunchReason> {
  const spec = readSpec(from.text, from.index);
  if (!spec.ok) return spec;
  const text = args[rest];
  if (text === undefined) return missingBin();
  const bin = checkBinName(text);
  if (!bin.ok) return at(rest, bin);
  const own = { bin: bin.value, args: args.slice(rest + 1), packageIndex: from.index, ignored };
  return accept({ runner: "uvx", ...spec.value, ...own });
}

/** uvx runs the namesake program, and takes `python` for the interpreter itself, after --from as well. */
function readSpec(text: string, index: number): Check<PythonSpec, LaunchReason> {
  const spec = parsePythonSpec(text);
  if (!spec.ok) return at(index, spec);
  const interpreter = refuseInterpreter(spec.value.package);
  return interpreter === null ? spec : at(index, interpreter);
}

function notAllowed(arg: string): Refusal<LaunchReason> {
  const name = optionName(arg);
  return refuse(
    "option-not-allowed",
    `uvx may not be given ${name} before the package or program.`,
    "Before the package only --from and --python with a version may stand; options of the server go after its program.",
  );
}

function notPython(text: string): Refusal<LaunchReason> {
  return refuse(
    "option-not-allowed",
    `uvx may not be given ${shown(text)} as its Python.`,
    "Write a version such as `3.13`, or remove it: the host has one Python, and uvx takes it.",
  );
}

function repeated(): Refusal<LaunchReason> {
  return refuse("option-repeated", "uvx is given --from twice.", "Write one package.");
}

function missingValue(name: string): Refusal<LaunchReason> {
  return refuse(
    "option-value-missing",
    `uvx ${name} has no value.`,
    `Write the value after ${name}.`,
  );
}

function missingBin(): Refusal<LaunchReason> {
  return refuse(
    "bin-missing",
    "uvx --from names no program to run.",
    "Write the program that the package declares after it.",
  );
}

function missingPackage(): Refusal<LaunchReason> {
  return refuse("spec-missing", "uvx names no package.", "Write the package, as in `name==1.2.3`.");
}
