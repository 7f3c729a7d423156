import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64OfText } from "../../../../shared/content/base64.ts";

describe("base64OfText", () => {
  it("encodes the UTF-8 form of any text, lone surrogates as U+FFFD", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(base64OfText(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
      }),
    );
    expect(base64OfText("\ud800")).toBe("77+9");
  });

  it.each([0x6000 - 1, 0x6000, 0x6000 + 1, 3 * 0x6000 + 2])(
    "joins its pieces without a seam at %i bytes",
    (length) => {
      const text = `${"a".repeat(length - 3)}€`;
      expect(base64OfText(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
    },
  );
});
