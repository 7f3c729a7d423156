import type * as z from "zod";
import type { Diagnostics } from "../diagnostics.ts";
import { entryOf, keyPlace, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import { explainIssue, follow } from "./explain-issue.ts";
import { suggest } from "./suggest.ts";

/** The fields that an object at a path of a schema may have; empty where there is no object. */
export type ShapeAt = (path: readonly string[]) => Readonly<Record<string, z.ZodType>>;

/** Reports the issues of a schema that describes the whole of `root`. */
export function reportSchemaIssues(
  issues: readonly z.core.$ZodIssue[],
  root: TreeNode,
  { shapeAt, diagnostics }: { shapeAt: ShapeAt; diagnostics: Diagnostics },
): void {
  for (const issue of issues) {
    const path = issue.path.map(String);
    const { node, place, missing } = follow(root, path);
    const shown = path.map((part) => shorten(part)).join(".");
    if (issue.code === "unrecognized_keys")
      reportUnknownKeys(issue.keys, node, { known: Object.keys(shapeAt(path)), diagnostics });
    else if (missing) diagnostics.report("GW121", place, `'${shown}' is required`);
    else {
      const { rule, message, hint } = explainIssue({
        shown,
        node,
        issue,
        form: formAt(path, shapeAt),
      });
      diagnostics.report(rule, place, message, hint);
    }
  }
}

function reportUnknownKeys(
  keys: readonly string[],
  node: TreeNode,
  { known, diagnostics }: { known: readonly string[]; diagnostics: Diagnostics },
): void {
  for (const key of keys) {
    const entry = entryOf(node, key);
    const meant = suggest(key, known);
    const question = meant === null ? "" : ` Did you mean '${meant}'?`;
    diagnostics.report(
      "GW113",
      entry === undefined ? node : keyPlace(entry),
      `Unknown field '${shorten(key)}'.${question}`,
    );
  }
}

/** The description of the field that a path ends in, list indexes left aside. */
function formAt(path: readonly string[], shapeAt: ShapeAt): string | undefined {
  const depth = path.findLastIndex((part) => !/^\d+$/.test(part));
  const name = path[depth];
  return name === undefined ? undefined : shapeAt(path.slice(0, depth))[name]?.description;
}
