import { accept, refuse, type Check } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";
import { refuseForeignSpec } from "./spec-form.ts";

/** A package of a Python index. */
export interface PythonSpec {
  /** The name as written; compare names by `pythonName`. */
  readonly package: string;
  readonly extras: readonly string[];
  /** Exact version, or `latest`; null = what the index has newest. */
  readonly version: string | null;
  readonly pinned: boolean;
}

const longestName = 214;
const longestVersion = 128;
const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const parts = /^([A-Za-z0-9._-]+)(?:\[([A-Za-z0-9._,-]*)\])?(?:(==|@)(.*))?$/;
/** Versions of PEP 440, appendix B, without its prefix match `.*`. */
const versionPattern =
  /^v?(?:[0-9]+!)?[0-9]+(?:\.[0-9]+)*(?:[._-]?(?:alpha|beta|preview|pre|rc|a|b|c)[._-]?[0-9]*)?(?:-[0-9]+|[._-]?(?:post|rev|r)[._-]?[0-9]*)?(?:[._-]?dev[._-]?[0-9]*)?(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?$/i;

/**
 * Reads `name`, `name[extra,…]`, each with `==version`, `@version` or `@latest` after it (PEP 508
 * names, PEP 440 versions). Ranges, markers, direct references, paths and URLs are refused.
 */
export function parsePythonSpec(text: string): Check<PythonSpec, LaunchReason> {
  const foreign = refuseForeignSpec(text);
  if (foreign !== null) return foreign;
  const [, name, extras, mark, version = ""] = parts.exec(text) ?? [];
  if (name === undefined) return refusedText(text);
  if (!isPythonName(name)) return refusedName(name);
  const extraNames = extras === undefined ? [] : extras.split(",");
  if (!extraNames.every(isPythonName)) return refusedName(text);
  const spec = { package: name, extras: extraNames, version: null, pinned: false };
  if (mark === undefined) return accept(spec);
  if (mark === "@" && version === "latest") return accept({ ...spec, version });
  if (isPythonVersion(version)) return accept({ ...spec, version, pinned: true });
  return refusedVersion(name, version);
}

/** The one spelling that stands for all equal ones of a Python package's name (PEP 503). */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[._-]+/g, "-");
}

function isPythonName(text: string): boolean {
  return text.length <= longestName && namePattern.test(text);
}

/** Whether a text is one version of PEP 440, no range and no prefix. */
function isPythonVersion(text: string): boolean {
  return text.length <= longestVersion && versionPattern.test(text);
}

function refusedText(text: string): Check<never, LaunchReason> {
  const bare = /^[A-Za-z0-9._-]+(?:\[[^\]]*\])?\s*(?:[<>!~=]=?=?)/.test(text);
  return bare
    ? refuse("spec-is-range", `${shown(text)} is a range of versions.`, versionHint)
    : refusedName(text);
}

function refusedName(text: string): Check<never, LaunchReason> {
  return refuse(
    "spec-name-invalid",
    `${shown(text)} is no Python package's name.`,
    "Write the name as the index has it, `name` or `name[extra]`, with `==` and an exact version after it.",
  );
}

function refusedVersion(name: string, version: string): Check<never, LaunchReason> {
  const isRange = /[*<>~!=,|]|^\s*$/.test(version);
  return refuse(
    isRange ? "spec-is-range" : "spec-version-invalid",
    `${shown(version)} is no exact version of ${name}.`,
    versionHint,
  );
}

const versionHint = "Write one exact version, as in `name==1.2.3`; uvx has no tags but `@latest`.";
