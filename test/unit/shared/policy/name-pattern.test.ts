import { describe, expect, it } from "vitest";
import { fitsPattern } from "../../../../shared/policy/name-pattern.ts";

describe("a pattern of tool names", () => {
  it.each([
    ["get_issue", "get_issue", true],
    ["get_issue", "*", true],
    ["", "*", true],
    ["get_issue", "get_*", true],
    ["get_", "get_*", true],
    ["forget_it", "get_*", false],
    ["get_issue", "*_issue", true],
    ["list_issues", "*_issue", false],
    ["get_the_issue", "get_*_issue", true],
    ["get_issue", "get_*_issue", false],
    ["aba", "ab*ba", false],
    ["abba", "ab*ba", true],
    ["a1b2c", "a*b*c", true],
    ["acb", "a*b*c", false],
    ["a--c", "a*b*c", false],
    ["abc", "a*b*c", true],
    ["abbc", "a*bb*bb*c", false],
    ["abbbbc", "a*bb*bb*c", true],
    ["a-bc", "a*bc*bc", false],
    ["Get_issue", "get_*", false],
    ["get.issue", "get?issue", false],
    ["get_issue", "", false],
    ["x", "**", true],
  ])("%s fits %s: %s", (name, pattern, expected) => {
    expect(fitsPattern(name, pattern)).toBe(expected);
  });

  it("answers on names and patterns made to be slow", () => {
    // The test's own time limit: what backtracks takes longer than anyone lives.
    expect(fitsPattern("a".repeat(100_000), `${"a*".repeat(128)}b`)).toBe(false);
  }, 60_000);
});
