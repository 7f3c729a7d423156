import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../../shared/reports/sha256.ts";

function reference(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

describe("sha256", () => {
  it.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])("hashes %i bytes", (length) => {
    const text = "a".repeat(length);
    expect(sha256(text)).toBe(reference(text));
  });

  it("agrees with the platform on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(reference(text));
      }),
    );
  });
});
