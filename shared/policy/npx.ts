import { checkBinName, refuseInterpreter } from "./bin-name.ts";
import { accept, at, refuse, type Check, type Refusal } from "./check.ts";
import { parseNpmSpec, type NpmSpec } from "./npm-spec.ts";
import type { LaunchReason } from "./reasons.ts";
import { optionName } from "./shown.ts";

/** What an accepted `npx` argv starts. */
export interface NpxLaunch extends NpmSpec {
  readonly runner: "npx";
  /** The program that was named; null = the package's only (or namesake) program. */
  readonly bin: string | null;
  /** The server's own arguments, as written. */
  readonly args: readonly string[];
  /** Where the package stands among the arguments of the command, counted from 0. */
  readonly packageIndex: number;
  /** `-y` or `--yes` was written; without it npx asks on a terminal that is not there. */
  readonly yes: boolean;
}

interface Options {
  readonly yes: boolean;
  /** SPEC of `--package`, with its index. */
  readonly spec: { readonly text: string; readonly index: number } | null;
  /** Index of the first argument that is no option. */
  readonly rest: number;
}

/**
 * Reads `npx [-y|--yes] [--] SPEC args…` or `npx [-y|--yes] (-p|--package) SPEC [--] BIN args…`;
 * `--package=SPEC` is the same. SPEC is a registry name with an optional version or tag. What
 * follows SPEC or BIN is the server's and passes as it is: no shell ever reads it.
 */
export function parseNpxArgs(args: readonly string[]): Check<NpxLaunch, LaunchReason> {
  const options = readOptions(args);
  if (!options.ok) return options;
  return options.value.spec === null
    ? readPackage(args, options.value)
    : readBin(args, options.value, options.value.spec);
}

function readOptions(args: readonly string[]): Check<Options, LaunchReason> {
  let yes = false;
  let spec: Options["spec"] = null;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return accept({ yes, spec, rest: index + 1 });
    if (arg === "-y" || arg === "--yes") {
      yes = true;
      continue;
    }
    if (!arg.startsWith("-")) return accept({ yes, spec, rest: index });
    const option = readPackageOption(args, index);
    if (!option.ok) return option;
    if (spec !== null) return at(index, repeated());
    spec = option.value;
    index = spec.index;
  }
  return accept({ yes, spec, rest: args.length });
}

/** `-p SPEC`, `--package SPEC` or `--package=SPEC`; the index is the one of SPEC. */
function readPackageOption(
  args: readonly string[],
  index: number,
): Check<{ text: string; index: number }, LaunchReason> {
  const arg = args[index] ?? "";
  if (arg.startsWith("--package=")) return accept({ text: arg.slice("--package=".length), index });
  if (arg !== "-p" && arg !== "--package") return at(index, notAllowed(arg));
  const text = args[index + 1];
  if (text === undefined) {
    return at(
      index,
      refuse(
        "option-value-missing",
        `npx ${arg} names no package.`,
        `Write the package after ${arg}.`,
      ),
    );
  }
  return accept({ text, index: index + 1 });
}

function readPackage(args: readonly string[], options: Options): Check<NpxLaunch, LaunchReason> {
  const index = options.rest;
  const text = args[index];
  if (text === undefined) return missingPackage();
  const spec = parseNpmSpec(text);
  if (!spec.ok) return at(index, spec);
  // npx runs the namesake program of an unscoped package, so `npx node@24 -e …` is an interpreter too.
  const interpreter = refuseInterpreter(spec.value.package);
  if (interpreter !== null) return at(index, interpreter);
  return accept(
    launch(args, options, { spec: spec.value, packageIndex: index, bin: null, next: index + 1 }),
  );
}

function readBin(
  args: readonly string[],
  options: Options,
  named: { readonly text: string; readonly index: number },
): Check<NpxLaunch, LaunchReason> {
  const spec = parseNpmSpec(named.text);
  if (!spec.ok) return at(named.index, spec);
  const text = args[options.rest];
  if (text === undefined) return missingBin(spec.value.package);
  const bin = checkBinName(text);
  if (!bin.ok) return at(options.rest, bin);
  return accept(
    launch(args, options, {
      spec: spec.value,
      packageIndex: named.index,
      bin: bin.value,
      next: options.rest + 1,
    }),
  );
}

function launch(
  args: readonly string[],
  options: Options,
  found: { spec: NpmSpec; packageIndex: number; bin: string | null; next: number },
): NpxLaunch {
  const { spec, packageIndex, bin, next } = found;
  return { runner: "npx", ...spec, bin, args: args.slice(next), packageIndex, yes: options.yes };
}

function notAllowed(arg: string): Refusal<LaunchReason> {
  return refuse(
    "option-not-allowed",
    `npx may not be given ${optionName(arg)} before the package.`,
    "Before the package only -y and --package may stand; options of the server go after its package.",
  );
}

function repeated(): Refusal<LaunchReason> {
  return refuse(
    "option-repeated",
    "npx is given --package more than once.",
    "Name the server's package alone.",
  );
}

function missingPackage(): Refusal<LaunchReason> {
  return refuse(
    "spec-missing",
    "npx names no package.",
    "Write the package, as in `-y @scope/name@1.2.3`.",
  );
}

function missingBin(name: string): Refusal<LaunchReason> {
  return refuse(
    "bin-missing",
    "npx --package names no program to run.",
    `Write the program after the package, or drop --package: \`-y ${name}\` runs its only program.`,
  );
}
