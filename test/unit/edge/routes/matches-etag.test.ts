import { describe, expect, it } from "vitest";
import { matchesEtag } from "../../../../functions/edge/routes/matches-etag.ts";

describe("If-None-Match", () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b" ,W/"a"', true],
    ["*", true],
    [" * ", true],
    ['"b"', false],
    ["a", false],
    ['"aa"', false],
    ["", false],
    [undefined, false],
  ])('of %s matches the ETag "a": %s', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected);
  });
});
