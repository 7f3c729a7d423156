import type { Finding } from "../shared/config/finding.ts";

/**
 * A finding for a terminal: `file:line:column severity message (rule)`, which editors turn into a
 * link, and the hint indented below it.
 */
export function findingLine(file: string, finding: Finding): string {
  const place = finding.line === null ? file : `${file}:${finding.line}:${finding.column}`;
  return `${place} ${finding.severity} ${finding.message} (${finding.id})\n    ${finding.hint}`;
}
