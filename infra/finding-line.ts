import type { Finding } from "../shared/config/finding.ts";

/** A finding as one line, `file:line:column severity message`, which editors turn into a link. */
export function findingLine(file: string, finding: Finding): string {
  const place = finding.line === null ? file : `${file}:${finding.line}:${finding.column}`;
  return `${place} ${finding.severity} ${finding.message} ${finding.hint} (${finding.id})`;
}
