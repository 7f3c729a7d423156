import { describe, expect, it } from "vitest";
import { wholeOrLength } from "../../../../shared/errors/whole-or-length.ts";

describe("wholeOrLength", () => {
  it("gives a text up to its limit as it is", () => {
    expect(wholeOrLength("abcd", 4)).toBe("abcd");
  });

  it("gives no part of a longer one", () => {
    expect(wholeOrLength("abcde", 4)).toBe("[5 characters]");
  });
});
