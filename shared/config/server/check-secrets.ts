import { referencedNames, withoutReferences } from "../references.ts";
import { looksGenerated } from "../secrets/entropy.ts";
import { namesSecret } from "../secrets/names-secret.ts";
import { isPlaceholder } from "../secrets/placeholder.ts";
import type { EntryText } from "../secrets/strings.ts";
import { findToken } from "../secrets/token-shapes.ts";
import { urlCredential } from "../secrets/url-credential.ts";
import type { ServerDraft } from "./draft.ts";

/** Looks for credentials and placeholders in every text that a server gets. Messages never hold the value. */
export function checkSecrets(draft: ServerDraft, texts: readonly EntryText[]): void {
  for (const entry of texts) checkText(draft, entry);
}

function checkText(draft: ServerDraft, entry: EntryText): void {
  const { diagnostics } = draft;
  const { value, node } = entry;
  const inUrl = urlCredential(value);
  const token = findToken(value);
  if (inUrl !== null && !isPlaceholder(inUrl.value) && referencedNames(inUrl.value).length === 0) {
    diagnostics.report("GW403", node, `A URL holds a credential (${inUrl.what}).`);
  } else if (token !== null && !isPlaceholder(token.token)) reportToken(draft, entry, token.what);
  else if (isLeftOver(entry) || (inUrl !== null && isPlaceholder(inUrl.value))) {
    diagnostics.report("GW404", node, `A placeholder was left in ${where(entry)}.`);
  } else if (looksSecret(entry))
    diagnostics.report("GW402", node, `The value of ${where(entry)} looks like a credential.`);
  else if (namesSecret(entry) && /^(?:Bearer|Basic|Token)?\s*$/i.test(value))
    diagnostics.report("GW405", node, `The value of ${where(entry)} is empty.`);
}

/** `${env:ghp_…}`: a variable's name was asked for and the value was given. */
function reportToken(draft: ServerDraft, { value, node }: EntryText, what: string): void {
  const pasted = [...value.matchAll(/[{:]([^{}:]*)\}/g)].some(
    ([, inner]) => inner !== undefined && findToken(inner) !== null,
  );
  if (pasted)
    draft.diagnostics.report(
      "GW417",
      node,
      `What seems to be ${what} stands where a variable's name belongs.`,
    );
  else
    draft.diagnostics.report("GW401", node, `What seems to be ${what} is written into the config.`);
}

function isLeftOver(entry: EntryText): boolean {
  const { field } = entry;
  // `${MY_TOKEN}` is filled in, whatever its name sounds like.
  const value = withoutReferences(entry.value);
  if (field === "server" || field === "registry_name" || !isPlaceholder(assigned(value)))
    return false;
  // Words such as `test` are placeholders only where a credential belongs.
  return namesSecret(entry) || /[<[\]>]|\{[^{}]*\||your|path[\\/]to|x{4}|\*{3}|here$/i.test(value);
}

function looksSecret(entry: EntryText): boolean {
  const { value, field } = entry;
  if (
    referencedNames(value).length > 0 ||
    /\$\{|\{\{|\{env:|^\$[A-Za-z_]\w*$|^%[A-Za-z_]\w*%$/.test(value)
  )
    return false;
  const core = assigned(value).replace(/^(?:Bearer|Basic|Token)\s+/i, "");
  if (looksGenerated(core)) return field !== "url";
  return (
    namesSecret(entry) &&
    core.length >= 8 &&
    !/[\\/\s]/.test(core) &&
    !/^(?:true|false|\d+)$/i.test(core)
  );
}

/** The value of `--name=value` and `NAME=value`; any other text as it is. */
function assigned(value: string): string {
  return /^-{0,2}[A-Za-z][\w-]*=(.+)$/s.exec(value)?.[1] ?? value;
}

function where({ field, name }: EntryText): string {
  return name === field ? `'${field}'` : `'${name}'`;
}
