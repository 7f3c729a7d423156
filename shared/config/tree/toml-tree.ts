import { parse, TomlDate, TomlError } from "smol-toml";
import type { Diagnostics } from "../diagnostics.ts";
import type { ConfigLimits } from "../limits.ts";
import { LineIndex } from "./line-index.ts";
import { childPointer, listAt, mapAt, scalarAt, type MapEntry, type TreeNode } from "./node.ts";
import { Budget, brokenTree, noExtensions, type SyntaxTree } from "./syntax-tree.ts";
import { type TomlPlace, tomlPlaces } from "./toml-places.ts";

/** Reads TOML 1.0. The parser keeps no positions: `toml-places.ts` finds them in the valid text. */
export function parseToml(
  source: string,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const text = source.replace(/^\uFEFF/, " "); // a blank keeps every offset
  const end = endOfTokens(text, limits.maxTokens);
  if (end !== null) {
    const message = `The document is larger than ${limits.maxTokens} tokens.`;
    diagnostics.report("GW105", { pointer: "", span: { start: end, end: end + 1 } }, message);
    return brokenTree;
  }
  let data: unknown;
  try {
    data = parse(text, { maxDepth: limits.maxDepth });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const start = new LineIndex(text).offset(error.line, error.column);
    const message = error.message.split("\n")[0] ?? "";
    diagnostics.report(
      "GW100",
      { pointer: "", span: { start, end: start } },
      `TOML: ${message.replace(/^Invalid TOML document: /, "")}.`,
    );
    return brokenTree;
  }
  const places = tomlPlaces(text);
  const budget = new Budget(limits, diagnostics);
  const root = read(data, { pointer: "", depth: 0, place: places.root, budget });
  return {
    root: { ...root, span: root.span ?? { start: 0, end: text.length } },
    comments: places.comments,
    extensions: noExtensions,
  };
}

/**
 * Where the text has more assignments, members and tables than are parsed; null when it has not.
 * Signs in texts count too: the parser has no bound of its own, so this comes before it.
 */
function endOfTokens(text: string, maxTokens: number): number | null {
  let tokens = 0;
  for (const { index } of text.matchAll(/[=,[]/g)) {
    tokens += 2; // the sign and what it belongs to
    if (tokens > maxTokens) return index;
  }
  return null;
}

/** Where the reader is. */
interface At {
  readonly pointer: string;
  readonly depth: number;
  readonly place: TomlPlace | undefined;
  readonly budget: Budget;
}

function below(at: At, key: string | number): At {
  return {
    pointer: childPointer(at.pointer, key),
    depth: at.depth + 1,
    place: at.place?.children.get(key),
    budget: at.budget,
  };
}

function read(value: unknown, at: At): TreeNode {
  const { pointer, budget } = at;
  const place = { pointer, span: at.place?.value ?? at.place?.key ?? null };
  if (!budget.spend(at.depth, place)) return scalarAt(place, null);
  if (Array.isArray(value))
    return listAt(
      place,
      value.map((item, index) => read(item, below(at, index))),
    );
  if (value instanceof TomlDate) return scalarAt(place, value.toISOString());
  if (typeof value === "object" && value !== null) return mapAt(place, readEntries(value, at));
  if (typeof value === "string") budget.checkString(value, place);
  const isPlain =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return scalarAt(place, isPlain ? value : null);
}

function readEntries(value: object, at: At): MapEntry[] {
  const entries: MapEntry[] = [];
  for (const [key, member] of Object.entries(value)) {
    const inner = below(at, key);
    const keySpan = inner.place?.key ?? null;
    if (!at.budget.checkKey(key, { pointer: inner.pointer, span: keySpan })) continue;
    entries.push({ key, keySpan, value: read(member, inner) });
  }
  return entries;
}
