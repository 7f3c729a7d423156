import { checkHeader } from "../../policy/headers.ts";
import { keyPlace, text } from "../tree/node.ts";
import type { ServerDraft } from "./draft.ts";

/** Checks names and values of headers as written; values are checked again once references are filled in. */
export function checkHeaders(draft: ServerDraft): void {
  const headers = draft.fields.get("headers")?.value;
  if (headers?.kind !== "map") return;
  const seen = new Set<string>();
  for (const entry of headers.entries) {
    const check = checkHeader(entry.key, text(entry.value) ?? "");
    if (!check.ok) draft.diagnostics.report("GW308", keyPlace(entry), check.message, check.hint);
    const lower = entry.key.toLowerCase();
    if (seen.has(lower))
      draft.diagnostics.report(
        "GW308",
        keyPlace(entry),
        `The header '${entry.key}' is set twice, in different case.`,
      );
    seen.add(lower);
  }
}
