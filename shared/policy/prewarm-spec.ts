import { accept, type Check, refuse } from "./check.ts";
import { type ParsedLaunch, parseLaunch } from "./launch.ts";

/** A package that is installed before anybody asks for it. */
export type PrewarmedPackage = Extract<ParsedLaunch, { runner: "npx" | "uvx" }>;

/** Reads `npm:NAME[@VERSION]` or `pypi:NAME[==VERSION]`, by the grammars of npx and uvx. */
export function parsePrewarmSpec(text: string): Check<PrewarmedPackage> {
  const [, registry, spec = ""] = /^(npm|pypi):(.+)$/s.exec(text) ?? [];
  if (registry === undefined) {
    return refuse(
      "spec-name-invalid",
      `'${text.slice(0, 80)}' names no registry.`,
      "Write npm:NAME@VERSION or pypi:NAME==VERSION; images are the engine's own.",
    );
  }
  const parsed = registry === "npm" ? parseLaunch("npx", ["-y", spec]) : parseLaunch("uvx", [spec]);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (value.runner !== "docker" && value.args.length === 0) return accept(value);
  return refuse("spec-name-invalid", "More than a package is named.", "Name one package an entry.");
}
