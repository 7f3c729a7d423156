import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBytesOfValue, measureText } from "../../../../shared/content/measure-text.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom("a", '"', "\\", "\n", "\u0001", "\u007f", "é", "€", "😀", "\ud800", "\udc00"),
    )
    .map((parts) => parts.join("")),
);

describe("measureText", () => {
  it("counts the bytes that UTF-8 and JSON.stringify take", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(measureText(text)).toEqual({
          end: text.length,
          utf8Bytes: Buffer.byteLength(text),
          jsonBytes: Buffer.byteLength(JSON.stringify(text)) - 2,
        });
      }),
    );
  });

  it("ends before the first character that would pass the limit, never inside one", () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, limit) => {
        const { end, jsonBytes } = measureText(text, limit);
        const through = text.slice(0, end) + String.fromCodePoint(text.codePointAt(end) ?? 0);
        expect(jsonBytes).toBeLessThanOrEqual(limit);
        expect(jsonBytes).toBe(Buffer.byteLength(JSON.stringify(text.slice(0, end))) - 2);
        const oneMore = Buffer.byteLength(JSON.stringify(through)) - 2;
        expect(end === text.length || oneMore > limit).toBe(true);
      }),
    );
  });

  it("does not split a surrogate pair", () => {
    expect(measureText("a😀", 4)).toEqual({ end: 1, utf8Bytes: 1, jsonBytes: 1 });
    expect(measureText("a😀", 5)).toEqual({ end: 3, utf8Bytes: 5, jsonBytes: 5 });
  });
});

describe("jsonBytesOfValue", () => {
  it("is the size of the JSON text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonBytesOfValue(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });
});
