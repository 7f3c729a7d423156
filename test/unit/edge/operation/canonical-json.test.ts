import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../functions/edge/operation/canonical-json.ts";

/** The same data with every object's keys in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe("canonical JSON", () => {
  it("is the same text whatever the order of keys, and holds the same data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const data: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(reversed(data))).toBe(canonicalJson(data));
        expect(JSON.parse(canonicalJson(data))).toEqual(data);
      }),
    );
  });

  it("keeps the order of a list", () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  });
});
