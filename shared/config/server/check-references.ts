import { queryStart, referencedNames } from "../references.ts";
import { namesSecret } from "../secrets/names-secret.ts";
import { findToken } from "../secrets/token-shapes.ts";
import type { EntryText } from "../secrets/strings.ts";
import { keyPlace } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { CheckOptions } from "./check-options.ts";
import type { ServerDraft } from "./draft.ts";

const allowedFields = new Set(["env", "headers", "config", "args", "url"]);

/** Checks where references stand, and what looks like a reference and is none. */
export function checkReferences(
  draft: ServerDraft,
  texts: readonly EntryText[],
  options: CheckOptions,
): void {
  for (const entry of texts) {
    // A command is one of three words: anything else in it is refused as a command.
    if (entry.field === "command") continue;
    checkPlace(draft, entry, options);
    checkLookalikes(draft, entry);
  }
  checkKeys(draft, "env");
  checkKeys(draft, "headers");
}

function checkPlace(
  draft: ServerDraft,
  { field, value, node }: EntryText,
  options: CheckOptions,
): void {
  const names = referencedNames(value);
  if (names.length === 0) return;
  if (!allowedFields.has(field)) {
    draft.diagnostics.report("GW410", node, `'${field}' may not hold references.`);
    return;
  }
  const machine = names.find((name) => machineNames.has(name));
  if (machine !== undefined)
    draft.diagnostics.report("GW415", node, `\${${machine}} names a path of the author's machine.`);
  if (field === "args" && options.source !== "operator") {
    const shown = names
      .filter((name) => findToken(name) === null && !machineNames.has(name))
      .map((name) => `\${${name}}`);
    if (shown.length === 0) return;
    draft.diagnostics.report(
      "GW414",
      node,
      `A reference stands in args: ${shorten(shown.join(", "))}`,
    );
  }
}

/** Variables that clients and shells fill with paths. */
const machineNames = new Set([
  "workspaceFolder",
  "workspaceRoot",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
  "HOME",
  "PWD",
  "USERPROFILE",
  "APPDATA",
  "extensionPath",
]);

function checkKeys(draft: ServerDraft, field: "env" | "headers"): void {
  const map = draft.fields.get(field)?.value;
  if (map?.kind !== "map") return;
  for (const entry of map.entries) {
    if (referencedNames(entry.key).length === 0) continue;
    draft.diagnostics.report(
      "GW410",
      keyPlace(entry),
      `A name in '${field}' may not hold references.`,
    );
  }
}

/** Texts that some client would replace, or that are a reference written wrongly. */
const lookalikes =
  /\$\{\{[^{}\n]{0,80}\}\}|\$?\$\{[^{}\n]{0,200}\}|\$?\$\{[^{}\n]{0,200}$|\{\{[^{}\n]{1,80}\}\}|\{(?:env|file):[^{}\n]{1,80}\}|\$[A-Z_][A-Z0-9_]{2,}|\$\([^()\n]{1,80}\)|%[A-Z_][A-Z0-9_]{2,}%/g;
const good = /^\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;
const executes = /^\$?\{(?:cmd|command|exec|shell|file)\s*:/i;

function checkLookalikes(draft: ServerDraft, entry: EntryText): void {
  const { value, node, field } = entry;
  if (!/[${%]/.test(value)) return;
  const text = field === "url" ? value.slice(queryStart(value)) : value;
  for (const [match] of text.matchAll(lookalikes)) {
    if (good.test(match) || findToken(match) !== null) continue;
    const mayBeSecret = namesSecret(entry) && withoutScheme(value) !== match;
    const shown = mayBeSecret ? "A part of it" : shorten(match, 40);
    if (executes.test(match))
      draft.diagnostics.report("GW413", node, `${shown} asks to run a command or read a file.`);
    else if (mayBeSecret) draft.diagnostics.report("GW411", node, partOfSecret);
    else draft.diagnostics.report("GW411", node, `${safe(match)} is sent as it stands.`);
  }
}

/** A password may hold any characters: no part of it is shown. */
const partOfSecret = "A part of it looks like a reference and is sent as it stands.";

function withoutScheme(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token)\s+/i, "");
}

/** What stands inside may be a credential that was pasted there: only the form is shown. */
function safe(match: string): string {
  const inner = /^(\$?\{(?:env|input):)(.*)(\})$/.exec(match);
  if (inner === null || (inner[2] ?? "").length <= 24) return shorten(match, 40);
  return `${inner[1]}…${inner[3]}`;
}
