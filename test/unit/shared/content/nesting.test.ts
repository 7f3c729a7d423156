import { describe, expect, it } from "vitest";
import { isNestedDeeper } from "../../../../shared/content/nesting.ts";

function nested(levels: number): unknown {
  return JSON.parse('[{"a":'.repeat(levels / 2) + "1" + "}]".repeat(levels / 2));
}

describe("isNestedDeeper", () => {
  it.each([
    [1, 0, false],
    [[], 0, true],
    [[], 1, false],
    [null, 0, false],
    [[[1], { a: [2] }], 2, true],
    [[[1], { a: [2] }], 3, false],
    [nested(512), 512, false],
    [nested(514), 512, true],
  ])("tells the depth of %j against %i levels", (value, levels, deeper) => {
    expect(isNestedDeeper(value, levels)).toBe(deeper);
  });

  it("survives two hundred thousand levels", () => {
    expect(isNestedDeeper(nested(200_000), 512)).toBe(true);
  });
});
