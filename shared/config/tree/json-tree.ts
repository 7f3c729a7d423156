import { parseTree, type Node, type ParseError } from "jsonc-parser";
import type { Diagnostics } from "../diagnostics.ts";
import type { ConfigLimits } from "../limits.ts";
import { childPointer, scalarAt, type MapEntry, type Place, type TreeNode } from "./node.ts";
import { scanJson } from "./json-scan.ts";
import { brokenTree, Budget, type SyntaxTree } from "./syntax-tree.ts";

/**
 * Reads JSON with comments and trailing commas; whether the client reads those too is told by
 * the dialect. Size and nesting are measured first, since the parser has no bound and recurses.
 */
export function parseJson(
  source: string,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const text = source.replace(/^\uFEFF/, " "); // a blank keeps every offset
  const scan = scanJson(text, limits);
  if (scan.tooLarge !== null) {
    const { what, span } = scan.tooLarge;
    diagnostics.report("GW105", { pointer: "", span }, `The document is ${what}.`);
    return brokenTree;
  }
  const errors: ParseError[] = [];
  const node = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || node === undefined) {
    reportErrors(text, errors, diagnostics);
    return brokenTree;
  }
  const root = read(node, "", 0, new Budget(limits, diagnostics));
  return {
    root,
    comments: scan.comments,
    extensions: { comment: scan.comment, trailingComma: scan.trailingComma },
  };
}

const errorTexts: Readonly<Record<number, string>> = {
  1: "this is not a JSON value",
  2: "this is not a JSON number",
  3: "a property name in double quotes is expected here",
  4: "a value is expected here",
  5: "a colon is expected here",
  6: "a comma is expected before this",
  7: "a closing brace is missing",
  8: "a closing bracket is missing",
  9: "the document ended before this",
  10: "a comment cannot stand here",
  11: "the comment is not closed",
  12: "the text is not closed; a quote is missing",
  13: "the number is not complete",
  14: "the \\u escape needs four hexadecimal digits",
  15: "the escape is not one of JSON's",
  16: "a control character stands in a text",
};
const expectedEnd = 9;

/** The parser recovers after an error and then tells follow-ups: one a line, three in all. */
function reportErrors(text: string, errors: readonly ParseError[], diagnostics: Diagnostics): void {
  const first = errors[0];
  if (first === undefined) {
    diagnostics.report(
      "GW100",
      { pointer: "", span: { start: 0, end: 0 } },
      "JSON: the document is empty.",
    );
    return;
  }
  const code: number = first.error;
  if (code === expectedEnd && /^[{[]/.test(text.slice(first.offset))) {
    diagnostics.report("GW104", placeOf(first), "A second JSON document starts here.");
    return;
  }
  let lineEnd = -1;
  let told = 0;
  for (const error of errors) {
    if (error.offset <= lineEnd || told === 3) continue;
    diagnostics.report(
      "GW100",
      placeOf(error),
      `JSON: ${errorTexts[error.error] ?? "the syntax is broken here"}.`,
    );
    const end = text.indexOf("\n", error.offset);
    lineEnd = end === -1 ? text.length : end;
    told += 1;
  }
}

function placeOf(error: ParseError): Place {
  return { pointer: "", span: { start: error.offset, end: error.offset + error.length } };
}

function read(node: Node, pointer: string, depth: number, budget: Budget): TreeNode {
  const place = { pointer, span: { start: node.offset, end: node.offset + node.length } };
  if (!budget.spend(depth, place)) return scalarAt(place, null);
  if (node.type === "object")
    return { kind: "map", ...place, entries: readEntries(node, pointer, depth, budget) };
  if (node.type === "array") {
    const items = node.children ?? [];
    return {
      kind: "list",
      ...place,
      items: items.map((item, index) =>
        read(item, childPointer(pointer, index), depth + 1, budget),
      ),
    };
  }
  const value: unknown = node.value;
  if (typeof value === "string") budget.checkString(value, place);
  return scalarAt(
    place,
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null,
  );
}

function readEntries(node: Node, pointer: string, depth: number, budget: Budget): MapEntry[] {
  const entries = new Map<string, MapEntry>();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const keySpan = { start: keyNode.offset, end: keyNode.offset + keyNode.length };
    const at = childPointer(pointer, key);
    if (!budget.checkKey(key, { pointer: at, span: keySpan })) continue;
    const value = read(valueNode, at, depth + 1, budget);
    if (entries.has(key)) budget.reportDuplicate(key, { pointer: at, span: keySpan });
    else entries.set(key, { key, keySpan, value });
  }
  return [...entries.values()];
}
