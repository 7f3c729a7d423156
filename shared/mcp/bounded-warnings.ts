import type { Warning } from "../content/call-result.ts";

/** A hostile answer may hold slips by the thousand. */
const maxWarnings = 100;

/** The first hundred; how many are left out is told by one more. */
export function boundedWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const left = warnings.length - maxWarnings;
  if (left <= 0) return warnings;
  return [
    ...warnings.slice(0, maxWarnings),
    { code: "WARNINGS_LEFT_OUT", message: `${left} further warnings are left out.` },
  ];
}
