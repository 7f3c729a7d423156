import { parse, TomlDate, TomlError } from "smol-toml";
import type { Diagnostics } from "../diagnostics.ts";
import type { ConfigLimits } from "../limits.ts";
import { LineIndex } from "./line-index.ts";
import { childPointer, scalarAt, type MapEntry, type TreeNode } from "./node.ts";
import { Budget, brokenTree, noExtensions, type SyntaxTree } from "./syntax-tree.ts";
import { tomlPlaces, type TomlPlaces } from "./toml-places.ts";

/** Reads TOML 1.0. The parser keeps no positions: `toml-places.ts` finds them in the valid text. */
export function parseToml(
  source: string,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const text = source.replace(/^\uFEFF/, " "); // a blank keeps every offset
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
  const root = read(data, "", 0, { budget: new Budget(limits, diagnostics), places });
  return {
    root: { ...root, span: root.span ?? { start: 0, end: text.length } },
    comments: places.comments,
    extensions: noExtensions,
  };
}

interface Reading {
  readonly budget: Budget;
  readonly places: TomlPlaces;
}

function read(value: unknown, pointer: string, depth: number, reading: Reading): TreeNode {
  const place = {
    pointer,
    span: reading.places.values.get(pointer) ?? reading.places.keys.get(pointer) ?? null,
  };
  if (!reading.budget.spend(depth, place)) return scalarAt(place, null);
  if (Array.isArray(value)) {
    return {
      kind: "list",
      ...place,
      items: value.map((item, index) =>
        read(item, childPointer(pointer, index), depth + 1, reading),
      ),
    };
  }
  if (value instanceof TomlDate) return scalarAt(place, value.toISOString());
  if (typeof value === "object" && value !== null)
    return { kind: "map", ...place, entries: readEntries(value, pointer, depth, reading) };
  if (typeof value === "string") reading.budget.checkString(value, place);
  return scalarAt(
    place,
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null,
  );
}

function readEntries(value: object, pointer: string, depth: number, reading: Reading): MapEntry[] {
  const entries: MapEntry[] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = childPointer(pointer, key);
    const keySpan = reading.places.keys.get(at) ?? null;
    if (!reading.budget.checkKey(key, { pointer: at, span: keySpan })) continue;
    entries.push({ key, keySpan, value: read(member, at, depth + 1, reading) });
  }
  return entries;
}
