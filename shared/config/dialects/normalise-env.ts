import type { ServerDraft } from "../server/draft.ts";
import { mapAt, scalarAt, type MapEntry } from "../tree/node.ts";

/** Clients take numbers and booleans as environment values and headers; null leaves the name out. */
export function normaliseEnv(draft: ServerDraft): void {
  for (const name of ["env", "headers"]) {
    const field = draft.fields.get(name);
    if (field?.value.kind !== "map") continue;
    draft.fields.set(name, {
      ...field,
      value: mapAt(field.value, field.value.entries.flatMap(asText)),
    });
  }
}

function asText(entry: MapEntry): MapEntry[] {
  const { value } = entry;
  if (value.kind !== "scalar" || typeof value.value === "string") return [entry];
  return value.value === null ? [] : [{ ...entry, value: scalarAt(value, String(value.value)) }];
}
