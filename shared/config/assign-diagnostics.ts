import { Diagnostics } from "./diagnostics.ts";
import type { RuleId } from "./rules.ts";
import type { ServerDraft } from "./server/draft.ts";

/** What the parser sees in one place, and which concerns that place alone. */
const localRules: ReadonlySet<RuleId> = new Set([
  "GW101",
  "GW102",
  "GW107",
  "GW112",
  "GW139",
  "GW142",
]);

/**
 * Gives local findings of the parser to the server that they lie in, so that they make that server
 * unusable and no other. Those above the servers stay with the document; those elsewhere in the
 * document are returned: they are told and make nothing unusable.
 */
export function assignDiagnostics(
  document: Diagnostics,
  drafts: readonly ServerDraft[],
): Diagnostics {
  const elsewhere = new Diagnostics();
  if (!document.list.some(({ rule }) => localRules.has(rule)) || drafts.length === 0)
    return elsewhere;
  const byPointer = new Map(drafts.map((draft) => [draft.place.pointer, draft]));
  const above = new Set(drafts.flatMap(({ place }) => prefixes(place.pointer).slice(1)));
  for (const diagnostic of document.list.splice(0)) {
    const owner = localRules.has(diagnostic.rule)
      ? ownerOf(diagnostic.pointer, byPointer)
      : undefined;
    const isDocuments = !localRules.has(diagnostic.rule) || above.has(diagnostic.pointer);
    (owner?.diagnostics ?? (isDocuments ? document : elsewhere)).list.push(diagnostic);
  }
  return elsewhere;
}

function ownerOf(
  pointer: string,
  drafts: ReadonlyMap<string, ServerDraft>,
): ServerDraft | undefined {
  for (const prefix of prefixes(pointer)) {
    const draft = drafts.get(prefix);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

/** The pointer itself, then what it lies in, up to the document. */
function prefixes(pointer: string): string[] {
  const found = [pointer];
  for (let at = pointer.lastIndexOf("/"); at !== -1; at = pointer.lastIndexOf("/", at - 1)) {
    found.push(pointer.slice(0, at));
    if (at === 0) break;
  }
  return found;
}
