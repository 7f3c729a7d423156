import type { Finding } from "../config/finding.ts";
import type { Position } from "../config/tree/line-index.ts";

/** A place in a text; `end` is just behind its last character, null where it is not known. */
export interface Region {
  readonly start: Position;
  readonly end: Position | null;
}

/** The place of a finding; null where it has none. An end before the start is left out. */
export function regionOf(finding: Finding): Region | null {
  if (finding.line === null) return null;
  const start = { line: finding.line, column: finding.column ?? 1 };
  if (finding.end_line === null || finding.end_column === null) return { start, end: null };
  const end = { line: finding.end_line, column: finding.end_column };
  const behind = end.line > start.line || (end.line === start.line && end.column >= start.column);
  return { start, end: behind ? end : null };
}
