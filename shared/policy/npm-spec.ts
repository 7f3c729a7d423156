import { accept, refuse, type Check } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";
import { refuseForeignSpec } from "./spec-form.ts";

/** A package of the npm registry, as npm reads the same text. */
export interface NpmSpec {
  readonly package: string;
  /** Exact version or tag; null = what the registry calls latest. */
  readonly version: string | null;
  /** The version is exact. */
  readonly pinned: boolean;
}

/** Longest name that npm's registry takes. */
const longestName = 214;
const namePattern =
  /^(?:@[A-Za-z0-9_-][A-Za-z0-9._-]*\/[A-Za-z0-9_-][A-Za-z0-9._-]*|[A-Za-z0-9][A-Za-z0-9._-]*)$/;
const excludedNames: ReadonlySet<string> = new Set(["node_modules", "favicon.ico"]);

/** Longest version that npm reads. */
const longestVersion = 256;
const number = "(?:0|[1-9][0-9]{0,14})";
const identifiers = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
/** semver.org 2.0.0, https://semver.org/#spec-item-2 */
const versionPattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-${identifiers})?(?:\\+${identifiers})?$`,
);
const leadingZero = /-(?:[0-9A-Za-z.-]*\.)?0[0-9]+(?:\.|$)/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** What npm reads as a range although it has a tag's characters: `1`, `v2.x`, `x`. */
const numberLike = /^v*(?:[0-9]+|[xX])(?:\.|$)/;
const rangeLike =
  /^[\^~<>=*]|\s|\|\||^v*(?:[0-9]+|[xX*])(?:\.(?:[0-9]+|[xX*]))?$|^v*[0-9xX*]+\.[0-9xX*]+\.[xX*]$/;

/**
 * Reads `name`, `name@version` or `name@tag` of the npm registry. Ranges, aliases, paths, URLs and
 * repositories are refused, so that the name alone decides which code runs.
 */
export function parseNpmSpec(text: string): Check<NpmSpec, LaunchReason> {
  const foreign = refuseForeignSpec(text);
  if (foreign !== null) return foreign;
  const border = text.indexOf("@", 1);
  const name = border === -1 ? text : text.slice(0, border);
  if (!isNpmName(name))
    return refuse("spec-name-invalid", `${shown(name)} is no npm package's name.`, nameHint);
  return border === -1
    ? accept({ package: name, version: null, pinned: false })
    : readVersion(name, text.slice(border + 1));
}

/** Whether a name may be one of an npm package, old packages with capitals included. */
function isNpmName(name: string): boolean {
  return (
    name.length <= longestName && namePattern.test(name) && !excludedNames.has(name.toLowerCase())
  );
}

/** Whether a text is one exact semantic version, without a leading `v`. */
export function isExactVersion(text: string): boolean {
  const [beforeBuild = ""] = text.split("+", 1);
  return (
    text.length <= longestVersion && versionPattern.test(text) && !leadingZero.test(beforeBuild)
  );
}

function readVersion(name: string, text: string): Check<NpmSpec, LaunchReason> {
  const exact = text.startsWith("v") ? text.slice(1) : text;
  if (isExactVersion(exact)) return accept({ package: name, version: exact, pinned: true });
  if (rangeLike.test(text)) return refusedRange(name, text);
  const isTag = text.length <= longestVersion && tagPattern.test(text) && !numberLike.test(text);
  if (isTag) return accept({ package: name, version: text, pinned: false });
  return refuse(
    "spec-version-invalid",
    `${shown(text)} is neither a version nor a tag of ${name}.`,
    `Write an exact version, as in \`${name}@1.2.3\`; \`npm view ${name} versions\` lists them.`,
  );
}

function refusedRange(name: string, text: string): Check<never, LaunchReason> {
  const first = /[0-9]+\.[0-9]+\.[0-9]+/.exec(text)?.[0];
  const hint =
    first === undefined
      ? `Write one of the versions that \`npm view ${name} versions\` lists, as in \`${name}@1.2.3\`.`
      : `Write one version: \`${name}@${first}\`.`;
  return refuse("spec-is-range", `${shown(text)} is a range of versions of ${name}.`, hint);
}

const nameHint =
  "Write the name as the registry has it, `name` or `@scope/name`, with an exact version after it.";
