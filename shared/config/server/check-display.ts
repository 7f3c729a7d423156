import type { EntryText } from "../secrets/strings.ts";
import { keyPlace, text, type MapEntry, type Place } from "../tree/node.ts";
import type { ServerDraft } from "./draft.ts";

/** Embeddings, overrides and isolates: what follows is shown in another order than it is written. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/;

/** Looks for texts that are shown otherwise than they are read: in names, the description, keys and values. */
export function checkDisplay(draft: ServerDraft, texts: readonly EntryText[]): void {
  for (const { value, node, field } of texts) check(draft, value, node, field);
  const description = draft.fields.get("description")?.value;
  if (description !== undefined) check(draft, text(description) ?? "", description, "description");
  checkName(draft);
  for (const field of ["env", "headers"])
    for (const entry of entriesOf(draft, field)) check(draft, entry.key, keyPlace(entry), field);
}

/** A client's name was replaced by a legal one: its label is what was written. */
function checkName(draft: ServerDraft): void {
  const field = draft.fields.get("name");
  if (field === undefined) return;
  const written = draft.native ? (text(field.value) ?? "") : draft.label;
  check(draft, written, field.value, "name");
}

function entriesOf(draft: ServerDraft, field: string): readonly MapEntry[] {
  const map = draft.fields.get(field)?.value;
  return map?.kind === "map" ? map.entries : [];
}

function check(draft: ServerDraft, value: string, place: Place, field: string): void {
  const found = reordering.exec(value);
  if (found === null) return;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase();
  draft.diagnostics.report(
    "GW143",
    place,
    `A text of '${field}' holds U+${code}, which changes the order in which it is shown.`,
  );
}
