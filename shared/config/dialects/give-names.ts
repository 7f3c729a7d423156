import { legalName } from "../server/legal-name.ts";
import { impliedField, type ServerDraft } from "../server/draft.ts";
import { scalarAt, text } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";

/** Gives clients' servers legal names: each change is told, and names that fall together are numbered. */
export function giveNames(drafts: readonly ServerDraft[]): void {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  for (const [index, draft] of drafts.entries()) {
    const field = draft.fields.get("name");
    const written = text(field?.value) ?? "";
    if (field === undefined) continue;
    const legal = legalName(written) || `server_${index + 1}`;
    const name = free(legal, taken, numbers);
    taken.add(name);
    if (name !== legal)
      draft.diagnostics.report(
        "GW505",
        field.keyPlace,
        `Another server is called '${legal}'; this one is '${name}'.`,
      );
    else if (name !== written)
      draft.diagnostics.report(
        "GW123",
        field.keyPlace,
        `The name '${shorten(written)}' was changed to '${name}'.`,
      );
    draft.fields.set("name", {
      ...impliedField(field.key, scalarAt(field.value, name)),
      keyPlace: field.keyPlace,
    });
  }
}

/** The name itself, else with the first number that makes it new; `numbers` remembers where to go on. */
function free(name: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  if (!taken.has(name)) return name;
  let number = numbers.get(name) ?? 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  numbers.set(name, number + 1);
  return `${name}_${number}`;
}
