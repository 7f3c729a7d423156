import type { Diagnostics } from "../diagnostics.ts";
import { child, text, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";

/** Ids of a file's inputs, each with the name of the reference that stands for it. */
export type InputNames = ReadonlyMap<string, string>;

/** A legal reference name made of an input's id; a legal id is its own name: `github-pat` → `github_pat`. */
export function inputName(id: string): string {
  const name = id.replace(/[^A-Za-z0-9_]+/g, "_");
  return /^[A-Za-z_]/.test(name) ? name : `input_${name}`;
}

/** The inputs that a file declares. Two ids never share a name: their values would be mixed up. */
export function declaredInputs(root: TreeNode, diagnostics: Diagnostics): InputNames {
  const names = new Map<string, string>();
  const inputs = child(root, "inputs");
  if (inputs?.kind !== "list") return names;
  const taken = new Set<string>();
  for (const input of inputs.items) {
    const node = child(input, "id");
    const id = text(node);
    if (node === undefined || id === undefined || names.has(id)) continue;
    const legal = inputName(id);
    const name = free(legal, taken);
    names.set(id, name);
    taken.add(name);
    if (name !== legal)
      diagnostics.report(
        "GW505",
        node,
        `Another input is called '${shorten(legal)}'; this one is '${shorten(name)}'.`,
      );
  }
  return names;
}

function free(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  let found = name;
  for (; taken.has(found); number += 1) found = `${name}_${number}`;
  return found;
}
