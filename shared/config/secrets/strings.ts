import type { ScalarNode, TreeNode } from "../tree/node.ts";
import type { ServerDraft } from "../server/draft.ts";

/** One text of a server's entry, with the names that lead to it. */
export interface EntryText {
  /** The native field. */
  readonly field: string;
  /** The nearest key above the text: an env name, a header name, an option before it in args. */
  readonly name: string;
  readonly value: string;
  readonly node: ScalarNode;
}

/** Fields whose texts reach a server or name where it is. */
const fields = [
  "command",
  "args",
  "env",
  "headers",
  "url",
  "config",
  "server",
  "env_file",
  "registry_name",
  "encoding",
];

export function entryTexts(draft: ServerDraft): EntryText[] {
  const found: EntryText[] = [];
  for (const field of fields) {
    const node = draft.fields.get(field)?.value;
    if (node !== undefined) collect(node, { field, name: field }, found);
  }
  return found;
}

function collect(node: TreeNode, at: { field: string; name: string }, found: EntryText[]): void {
  if (node.kind === "map") {
    for (const entry of node.entries) collect(entry.value, { ...at, name: entry.key }, found);
  } else if (node.kind === "list") {
    let before = at.name;
    for (const item of node.items) {
      collect(item, { ...at, name: before }, found);
      before = at.field === "args" ? optionBefore(item) : at.name;
    }
  } else if (typeof node.value === "string") {
    const option =
      at.field === "args" ? /^(-{0,2}[A-Za-z][\w-]{0,60})=/.exec(node.value)?.[1] : undefined;
    found.push({ ...at, name: option ?? at.name, value: node.value, node });
  }
}

/** `--api-key` gives its name to the argument after it. */
function optionBefore(item: TreeNode): string {
  if (item.kind !== "scalar" || typeof item.value !== "string") return "args";
  return /^--?[A-Za-z][\w-]*$/.test(item.value) ? item.value : "args";
}
