import { type Check, refuse } from "./check.ts";
import { type NpxLaunch, parseNpxArgs } from "./npx.ts";
import { parseUvxArgs, type UvxLaunch } from "./uvx.ts";

/** A package that is installed before anybody asks for it. */
export type PrewarmedPackage = NpxLaunch | UvxLaunch;

/** Reads `npm:NAME[@VERSION]` or `pypi:NAME[==VERSION]`, by the grammars of npx and uvx. */
export function parsePrewarmSpec(text: string): Check<PrewarmedPackage> {
  const [, registry, spec = ""] = /^(npm|pypi):(.+)$/s.exec(text) ?? [];
  if (registry === "npm") return parseNpxArgs(["-y", spec]);
  if (registry === "pypi") return parseUvxArgs([spec]);
  return refuse(
    "spec-name-invalid",
    `'${text.slice(0, 80)}' names no registry.`,
    "Write npm:NAME@VERSION or pypi:NAME==VERSION; images are the engine's own.",
  );
}
