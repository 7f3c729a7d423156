import type { Diagnostics } from "../diagnostics.ts";
import type { ConfigLimits } from "../limits.ts";
import { childPointer, scalarAt, type MapEntry, type TreeNode } from "./node.ts";
import { Budget, noExtensions, type SyntaxTree } from "./syntax-tree.ts";

/** Reads a config that came as an object: own enumerable data only, no positions. */
export function parseValue(
  value: unknown,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const budget = new Budget(limits, diagnostics);
  return { root: read(value, "", 0, budget), comments: [], extensions: noExtensions };
}

function read(value: unknown, pointer: string, depth: number, budget: Budget): TreeNode {
  const place = { pointer, span: null };
  if (!budget.spend(depth, place)) return scalarAt(place, null);
  if (Array.isArray(value)) {
    return {
      kind: "list",
      ...place,
      items: value.map((item, index) =>
        read(item, childPointer(pointer, index), depth + 1, budget),
      ),
    };
  }
  if (typeof value === "object" && value !== null)
    return { kind: "map", ...place, entries: readEntries(value, pointer, depth, budget) };
  if (typeof value === "string") budget.checkString(value, place);
  return scalarAt(
    place,
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null,
  );
}

function readEntries(value: object, pointer: string, depth: number, budget: Budget): MapEntry[] {
  const entries: MapEntry[] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = childPointer(pointer, key);
    if (!budget.checkKey(key, { pointer: at, span: null })) continue;
    entries.push({ key, keySpan: null, value: read(member, at, depth + 1, budget) });
  }
  return entries;
}
