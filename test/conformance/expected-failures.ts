import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Scenario } from "./requirements.ts";

/** The suite's own form of such a file; each entry's reason stands in a comment above it. */
const fileSchema = z.strictObject({ client: z.array(z.string()) });

/** Names of the scenarios that the file excuses. */
export function readExpectedFailures(file: URL): readonly string[] {
  return fileSchema.parse(parse(readFileSync(file, "utf8"))).client;
}

/** What is wrong with the list itself: only what the suite runs, and never counts, may be excused. */
export function listFaults(
  expected: readonly string[],
  scenarios: readonly Scenario[],
): readonly string[] {
  return expected.flatMap((name) => {
    const known = scenarios.filter((scenario) => scenario.name === name);
    if (known.length === 0) return [`${name} is no scenario of the suite`];
    return known.some(({ required }) => required) ? [`${name} is required`] : [];
  });
}

/** One run of a scenario, at one revision. */
export interface Outcome {
  readonly name: string;
  readonly passed: boolean;
}

/** Entries whose scenario no longer fails at any revision that it was run at. */
export function staleEntries(
  expected: readonly string[],
  outcomes: readonly Outcome[],
): readonly string[] {
  return expected.filter((name) =>
    outcomes.filter((outcome) => outcome.name === name).every(({ passed }) => passed),
  );
}
