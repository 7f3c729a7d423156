import { describe, expect, it } from "vitest";
import { readConfig, type ConfigReading } from "../../../../shared/config/read-config.ts";
import { isRuleId, ruleOf, rules, type RuleId } from "../../../../shared/config/rules.ts";
import { LineIndex } from "../../../../shared/config/tree/line-index.ts";
import { launchCases } from "./rule-cases/launch-cases.ts";
import { policyCases } from "./rule-cases/policy-cases.ts";
import { networkCases } from "./rule-cases/network-cases.ts";
import { otherCases } from "./rule-cases/other-cases.ts";
import type { RuleCase } from "./rule-cases/rule-case.ts";
import { secretCases } from "./rule-cases/secret-cases.ts";
import { shapeCases } from "./rule-cases/shape-cases.ts";

const table = {
  ...shapeCases,
  ...launchCases,
  ...networkCases,
  ...secretCases,
  ...otherCases,
  ...policyCases,
};
const cases = Object.entries(table).flatMap(([id, list]) =>
  (Array.isArray(list) ? list : [list]).map((one: RuleCase) => ({ id, one })),
);
/** Rules of other documents: the deployment file and env files have tests of their own. */
const elsewhere = ["GW140", "GW141", "GW506", "GW602"];
const mark = "⟦";

function read(text: string, { path, options }: RuleCase): ConfigReading {
  return readConfig(
    { text: text.replace(mark, ""), ...(path === undefined ? {} : { path }) },
    options,
  );
}

describe("the rule table", () => {
  it("has a firing case and a near miss for every rule", () => {
    expect(Object.keys(rules).sort()).toEqual([...Object.keys(table), ...elsewhere].sort());
  });

  it.each(cases)("$id fires where the mark stands: $one.fires", ({ id, one }) => {
    const found = read(one.fires, one).findings.filter((finding) => finding.id === id);
    const at = one.fires.indexOf(mark);
    const expected = new LineIndex(one.fires.replace(mark, "")).position(at);
    expect(found.length).toBeGreaterThan(0);
    // What is told of the document as a whole has no place.
    const places = found.map(({ line, column }) => (line === null ? null : { line, column }));
    expect(places).toContainEqual(at === -1 ? null : expected);
  });

  it.each(cases)("$id does not fire in the near miss: $one.misses", ({ id, one }) => {
    expect(read(one.misses, one).findings.filter((finding) => finding.id === id)).toEqual([]);
  });

  it.each(cases.filter(({ id }) => isRuleId(id) && ruleOf(id).blocks))(
    "$id makes nothing usable: $one.fires",
    ({ one }) => {
      const reading = read(one.fires, one);
      const usable = reading.servers.filter(({ config }) => config !== null);
      expect(
        reading.documentOk && usable.length === reading.servers.length && usable.length > 0,
      ).toBe(false);
    },
  );

  it.each(Object.keys(rules) as RuleId[])("%s has texts for its documentation page", (id) => {
    const { summary, hint, suppressible, blocks } = ruleOf(id);
    expect(summary).toMatch(/^[A-Za-z`].*\.$/);
    expect(hint.length).toBeGreaterThan(10);
    expect(suppressible && blocks).toBe(false);
  });
});
