import type { Warning } from "../content/call-result.ts";

/** A hostile answer may hold a million slips. */
const maxWarnings = 100;

/** A list that takes a hundred warnings, beside those that it begins with; further ones are counted. */
export function boundedWarnings(first: readonly Warning[] = []): Warning[] {
  const warnings = [...first];
  let [taken, left] = [0, 0];
  const push = (...more: Warning[]): number => {
    for (const warning of more) {
      if (taken < maxWarnings) warnings[first.length + taken] = warning;
      else warnings[first.length + maxWarnings] = leftOut((left += 1));
      taken += 1;
    }
    return warnings.length;
  };
  // Not enumerable: the list is data like any other.
  Object.defineProperty(warnings, "push", { value: push });
  return warnings;
}

function leftOut(count: number): Warning {
  return { code: "WARNINGS_LEFT_OUT", message: `${count} further warnings are left out.` };
}
