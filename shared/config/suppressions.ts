import type { Diagnostic, Diagnostics } from "./diagnostics.ts";
import { isRuleId, ruleOf, type RuleId } from "./rules.ts";
import type { LineIndex } from "./tree/line-index.ts";
import type { Comment } from "./tree/syntax-tree.ts";

/** One `gangway-ignore GW204: reason`: which rules it silences, on which line. */
interface Suppression {
  readonly comment: Comment;
  readonly rules: readonly RuleId[];
  readonly line: number;
}

const form = /gangway-ignore\s+([A-Za-z0-9, ]{1,200}?)\s*(?::\s*([^\s*].*?))?\s*(?:\*\/)?\s*$/s;

/** Decides whether a finding is silenced by a comment. */
export type Silenced = (diagnostic: Diagnostic) => boolean;

/**
 * Reads inline ignores. One stands behind the code whose findings it silences, or on a line of its own
 * above it; it names rules and a reason. One that cannot work is told (GW117).
 */
export function readSuppressions(
  comments: readonly Comment[],
  { text, lines, diagnostics }: { text: string; lines: LineIndex; diagnostics: Diagnostics },
): Silenced {
  const byLine = new Map<number, Set<RuleId>>();
  for (const comment of comments) {
    const suppression = readOne(comment, { text, lines, diagnostics });
    if (suppression === null) continue;
    const rules = byLine.get(suppression.line) ?? new Set<RuleId>();
    for (const rule of suppression.rules) rules.add(rule);
    byLine.set(suppression.line, rules);
  }
  return ({ rule, span }) =>
    span !== null && (byLine.get(lines.position(span.start).line)?.has(rule) ?? false);
}

function readOne(
  comment: Comment,
  { text, lines, diagnostics }: { text: string; lines: LineIndex; diagnostics: Diagnostics },
): Suppression | null {
  const refuse = (why: string) => {
    diagnostics.report(
      "GW117",
      { pointer: "", span: comment.span },
      `This ignore has no effect: ${why}.`,
    );
    return null;
  };
  const match = form.exec(comment.text);
  if (match === null) return refuse("it does not name a rule");
  const ids = (match[1] ?? "").split(/[\s,]+/).filter((id) => id !== "");
  if (match[2] === undefined) return refuse("it gives no reason");
  const rules = ids.filter(isRuleId);
  const unknown = ids.find((id) => !isRuleId(id));
  if (unknown !== undefined) refuse(`there is no rule '${unknown}'`);
  const firm = rules.find((rule) => !ruleOf(rule).suppressible);
  if (firm !== undefined) refuse(`${firm} cannot be ignored`);
  return {
    comment,
    rules: rules.filter((rule) => ruleOf(rule).suppressible),
    line: targetLine(comment, text, lines),
  };
}

/** Blank lines and other comments that may stand between an ignore and its line. */
const farthest = 20;

/** The comment's own line when code stands before it, else the next line with something else on it. */
function targetLine({ span }: Comment, text: string, lines: LineIndex): number {
  const { line, column } = lines.position(span.start);
  if (text.slice(span.start - column + 1, span.start).trim() !== "") return line;
  const { line: last } = lines.position(span.end);
  for (let next = last + 1; next <= last + farthest; next += 1) {
    const content = text.slice(lines.offset(next, 1), lines.offset(next + 1, 1)).trim();
    if (content !== "" && !/^(?:#|\/\/)/.test(content)) return next;
  }
  return line;
}
