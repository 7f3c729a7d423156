import type { Finding, Severity } from "./finding.ts";
import { ruleDocs, ruleOf, type RuleId } from "./rules.ts";
import type { LineIndex } from "./tree/line-index.ts";
import type { Place, Span } from "./tree/node.ts";

/** What a check saw, before lines, columns and severities are known. */
export interface Diagnostic {
  readonly rule: RuleId;
  readonly message: string;
  /** Replaces the rule's hint where a more exact remedy is known. */
  readonly hint: string | undefined;
  readonly pointer: string;
  readonly span: Span | null;
}

/** Findings kept of one server, or of the document apart from its servers. */
const mostOfOne = 200;

/** Collects what checks see. Checks never throw and never stop at the first trouble. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];
  /** Findings that were too many to keep. */
  dropped = 0;
  #droppedBlocks = false;

  report(rule: RuleId, place: Place, message: string, hint?: string): void {
    if (this.list.length < mostOfOne) {
      this.list.push({ rule, message, hint, pointer: place.pointer, span: place.span });
      return;
    }
    this.dropped += 1;
    this.#droppedBlocks ||= ruleOf(rule).blocks;
  }

  /** Some finding makes the server (or the document) unusable. */
  get blocked(): boolean {
    return this.#droppedBlocks || this.list.some((diagnostic) => ruleOf(diagnostic.rule).blocks);
  }
}

/** Severity of rules as settings change them; `off` leaves findings of the rule out. */
export type Severities = Readonly<Partial<Record<RuleId, Severity | "off">>>;

/** Findings in the order of the text; without positions the order of checking stands. */
export function toFindings(
  list: readonly Diagnostic[],
  lines: LineIndex | null,
  severities: Severities,
): Finding[] {
  return [...list]
    .sort(byPlace)
    .flatMap((diagnostic) => toFinding(diagnostic, lines, severities) ?? []);
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.span === null || b.span === null) return 0;
  return a.span.start - b.span.start || a.span.end - b.span.end || (a.rule < b.rule ? -1 : 1);
}

/** The finding that a report shows, or null when the settings silence the rule. */
export function toFinding(
  diagnostic: Diagnostic,
  lines: LineIndex | null,
  severities: Severities,
): Finding | null {
  const rule = ruleOf(diagnostic.rule);
  const set = severities[diagnostic.rule];
  if (set === "off" && rule.suppressible) return null;
  return {
    id: diagnostic.rule,
    severity: set === undefined || set === "off" ? rule.severity : set,
    message: diagnostic.message,
    hint: diagnostic.hint ?? rule.hint,
    pointer: bounded(diagnostic.pointer),
    ...positions(diagnostic.span, lines),
    docs: ruleDocs(diagnostic.rule),
  };
}

/** Longest pointer that a finding shows. */
const longestPointer = 2048;

/** A pointer, or that of the nearest map or list above which is short enough to be shown. */
function bounded(pointer: string): string {
  if (pointer.length <= longestPointer) return pointer;
  return pointer.slice(0, pointer.lastIndexOf("/", longestPointer));
}

type Positions = Pick<Finding, "line" | "column" | "end_line" | "end_column">;

function positions(span: Span | null, lines: LineIndex | null): Positions {
  if (span === null || lines === null) {
    return { line: null, column: null, end_line: null, end_column: null };
  }
  const start = lines.position(span.start);
  const end = lines.position(span.end);
  return { line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}
