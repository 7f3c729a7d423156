import { refuse, type Refusal } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";

type Form = readonly [pattern: RegExp, reason: LaunchReason, what: string, hint: string];

const registryHint =
  "Write the package's name as the registry has it, with an exact version after it.";

/**
 * Forms that are known and refused, told apart for the sake of the message alone: whatever is not
 * in the grammar of registry names is refused all the same.
 */
const forms: readonly Form[] = [
  [/^$/, "spec-missing", "is empty", registryHint],
  [
    /\$\{/,
    "spec-is-reference",
    "holds a reference",
    "Write the package and its version out; references are for env values.",
  ],
  [
    /[{}<>]{2}|\$|%[A-Z_]+%|<[A-Za-z][^>=]*>/,
    "spec-is-placeholder",
    "still holds a template's placeholder",
    "Fill in what the template left open.",
  ],
  [
    /(?:^|@|\s)npm:/i,
    "spec-is-alias",
    "is an alias, which runs another package than it names",
    "Write the package that is meant by its own name.",
  ],
  [/^[a-z]:[\\/]/i, "spec-is-path", "is a path", registryHint],
  [/(?:^|@|\s)(?:file|link|portal|workspace):/i, "spec-is-path", "is a path", registryHint],
  [
    /(?:^|@|\s)(?:git[+:@]|(?:github|gitlab|bitbucket|gist|sourcehut):|(?:ssh|hg|svn|bzr)[+:])|\.git(?:$|[#@])/i,
    "spec-is-git",
    "is a repository",
    registryHint,
  ],
  [/(?:^|@|\s)[a-z][a-z0-9+.-]*:/i, "spec-is-url", "is a URL", registryHint],
  [
    /^[./~]|.@(?:[./]|~\/)|\\|\.(?:tgz|tar|tar\.gz|whl|zip)(?:$|@)/i,
    "spec-is-path",
    "is a path or a file",
    registryHint,
  ],
  [/^[^@/]+\/|.@[^@]*\//, "spec-is-git", "is the short form of a repository", registryHint],
];

/** Longer texts are no spec of any kind; keeps the patterns above cheap. */
const longestSpec = 512;

/** The refusal of a package spec that names code outside the registry, or null. */
export function refuseForeignSpec(text: string): Refusal<LaunchReason> | null {
  if (text.length > longestSpec) {
    return refuse(
      "spec-name-invalid",
      `The package is longer than ${longestSpec} characters.`,
      registryHint,
    );
  }
  const form = forms.find(([pattern]) => pattern.test(text));
  if (form === undefined) return null;
  const [, reason, what, hint] = form;
  return refuse(reason, `The package ${shown(text)} ${what}.`, hint);
}
