import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSealKey } from "../../shared/seal/seal-keys.ts";
import { type Gangway, startGangway } from "../support/gangway.ts";
import {
  listFaults,
  type Outcome,
  readExpectedFailures,
  staleEntries,
} from "./expected-failures.ts";
import { clientScenarios, type Scenario } from "./requirements.ts";
import { runScenario } from "./run-scenario.ts";

const scenarios = clientScenarios();
const expected = readExpectedFailures(new URL("expected-failures.yml", import.meta.url));
const outcomes: Outcome[] = [];

let gangway: Gangway;
beforeAll(async () => {
  gangway = await startGangway({
    host: false,
    vars: { GANGWAY_SEAL_KEYS: makeSealKey("conformance") },
  });
});
afterAll(async () => gangway.close());

async function run(scenario: Scenario): Promise<{ passed: boolean; report: string }> {
  return runScenario(scenario, { GANGWAY_URL: gangway.url, GANGWAY_KEY: gangway.key });
}

describe("through the Worker, the official suite's scenario", () => {
  it.each(scenarios)("$name passes at revision $revision", async (scenario) => {
    const { name } = scenario;
    const { passed, report } = await run(scenario);
    outcomes.push({ name, passed });
    // What the suite wrote is shown where the scenario fails.
    expect(passed || expected.includes(name) ? "passed" : report).toBe("passed");
  });
});

describe("the list of scenarios", () => {
  it("holds those that each revision requires", () => {
    const required = scenarios.filter((scenario) => scenario.required);
    expect(required.length).toBeGreaterThanOrEqual(11);
    expect(new Set(required.map(({ revision }) => revision))).toEqual(
      new Set(["2025-11-25", "2026-07-28"]),
    );
  });

  it("has no expected failure but scenarios that the suite never counts", () => {
    expect(listFaults(expected, scenarios)).toEqual([]);
  });

  it("has no expected failure that passes by now", () => {
    expect(outcomes).toHaveLength(scenarios.length);
    expect(staleEntries(expected, outcomes)).toEqual([]);
  });
});

describe("the check itself", () => {
  it("fails a scenario whose server the client does not treat as it must", async () => {
    const scenario = { name: "tools_call", revision: "2025-11-25", required: true };
    const access = { GANGWAY_URL: gangway.url, GANGWAY_KEY: "no key" };
    const { passed, report } = await runScenario(scenario, access);
    expect(passed).toBe(false);
    expect(report).toContain("HTTP 401");
  });

  it("does not take a scenario that was skipped for one that passed", async () => {
    const { passed, report } = await run({
      name: "sse-retry",
      revision: "2026-07-28",
      required: true,
    });
    expect(report).toContain("SKIPPED");
    expect(passed).toBe(false);
  });
});
