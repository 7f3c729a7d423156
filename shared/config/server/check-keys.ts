import { keyPlace, type MapNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { fieldOf, type Field } from "./draft.ts";
import { foreignNames, nativeFields, unusedFields } from "./native-fields.ts";
import { suggest } from "./suggest.ts";

/** Sorts the keys of an entry in the native form into fields; unknown ones become findings. */
export function readNativeKeys(node: MapNode, diagnostics: Diagnostics): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const entry of node.entries) {
    const name = entry.key === "envFile" ? "env_file" : entry.key;
    if (fields.has(name)) {
      diagnostics.report(
        "GW128",
        keyPlace(entry),
        "Both `env_file` and `envFile` are set; they are one option.",
      );
    } else if (nativeFields.has(name)) fields.set(name, fieldOf(entry));
    else if (unusedFields.has(name)) {
      diagnostics.report("GW115", keyPlace(entry), `'${name}' is not used by a gateway.`);
    } else reportUnknown(entry.key, keyPlace(entry), diagnostics);
  }
  return fields;
}

function reportUnknown(
  key: string,
  place: Parameters<Diagnostics["report"]>[1],
  diagnostics: Diagnostics,
): void {
  const meant = foreignNames[key] ?? suggest(key, [...nativeFields, "envFile"]);
  const question = meant === null ? "" : ` Did you mean '${meant}'?`;
  diagnostics.report("GW113", place, `Unknown field '${shorten(key)}'.${question}`);
}
