import * as fc from "fast-check";

/** How often a property is tried: so often, unless the run as a whole sets a lower number. */
export function runs(count: number): number {
  return Math.min(count, fc.readConfigureGlobal().numRuns ?? count);
}
