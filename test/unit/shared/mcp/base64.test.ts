import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBase64 } from "../../../../shared/mcp/base64.ts";

describe("readBase64", () => {
  it("takes what an encoder writes", () => {
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        expect(readBase64(text)).toBe(text);
      }),
    );
  });

  it("takes out the line breaks of MIME encoders", () => {
    expect(readBase64("iVBO\r\nRw0K\n")).toBe("iVBORw0K");
  });

  it.each(["a", "ab=c", "====", "iVBO Rw0K", "_-__", "%%%%", "iVB", 7, null, undefined, {}])(
    "refuses %j",
    (data) => {
      expect(readBase64(data)).toBeNull();
    },
  );

  it("refuses any text with a character of another alphabet", () => {
    fc.assert(
      fc.property(
        fc.base64String(),
        fc.constantFrom("-", "_", "!", " ", "\u00e4"),
        (text, foreign) => {
          expect(readBase64(`${text}${foreign}AAA`)).toBeNull();
        },
      ),
    );
  });
});
