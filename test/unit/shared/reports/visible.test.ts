import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  visible,
  visibleAtLineStart,
  visibleCharacter,
} from "../../../../shared/reports/visible.ts";

describe("visible", () => {
  it.each([
    ["plain words, ünï©ode, 日本", "plain words, ünï©ode, 日本"],
    ["a\nb\r\tc", String.raw`a\nb\r\tc`],
    ["\u0000\u001b[31m\u007f\u009b", String.raw`\u0000\u001b[31m\u007f\u009b`],
    ["\u202Eabc\u2069\u200F\u061C", String.raw`\u202eabc\u2069\u200f\u061c`],
    ["zero\u200Bwidth\uFEFF\u00AD\u3164", String.raw`zero\u200bwidth\ufeff\u00ad\u3164`],
    ["tag\u{E0041}", String.raw`tag\u{e0041}`],
    ["\u2028\u2029", String.raw`\u2028\u2029`],
    ["\uD800x\uDC00", String.raw`\ud800x\udc00`],
    ["\uFFFE\uFFFF", String.raw`\ufffe\uffff`],
    ["❤\uFE0F 🛠", "❤\uFE0F 🛠"],
    ["##[group]x ##vso[y] ###[z", String.raw`#\u0023[group]x #\u0023vso[y] ##\u0023[z`],
    ["# heading ## [link] ##", "# heading ## [link] ##"],
  ])("shows %j as %j (case 31)", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("leaves nothing that hides, breaks lines or commands a runner", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##[a-z]{0,16}\[/iu);
      }),
    );
  });

  it("changes nothing more when it runs again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });
});

describe("visibleAtLineStart", () => {
  it.each([
    ["::error::x", "./::error::x"],
    ["\u3000 ::error::x", "./\u3000 ::error::x"],
    ["a::b", "a::b"],
    [":a", ":a"],
  ])("shows %j as %j", (text, shown) => {
    expect(visibleAtLineStart(text)).toBe(shown);
  });
});

describe("visibleCharacter", () => {
  it("shows text character by character as visible shows it whole", () => {
    const text = fc.string({ unit: fc.constantFrom("#", "[", "a", "\u001b", "😀", "\uD800", "x") });
    fc.assert(
      fc.property(text, (line) => {
        let shown = "";
        for (let at = 0; at < line.length; at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
          shown += visibleCharacter(line, at);
        expect(shown).toBe(visible(line));
      }),
    );
  });
});
