import { shorten } from "../tree/syntax-tree.ts";
import type { TreeNode } from "../tree/node.ts";

/** What stands in a place, in words for a message. Text is quoted only where `quote` says it is no secret. */
export function describe(node: TreeNode, quote = false): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return "a list";
  if (node.value === null) return "nothing";
  if (typeof node.value === "string") return quote ? `'${shorten(node.value)}'` : "text";
  return typeof node.value === "boolean" ? String(node.value) : `the number ${node.value}`;
}
