import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineIndex } from "../../../../shared/config/tree/line-index.ts";
import { utf8Columns } from "../../../../shared/reports/utf8-columns.ts";

describe("utf8Columns", () => {
  it.each([
    ["a𐐀b", 1, 1],
    ["a𐐀b", 2, 2],
    ["a𐐀b", 4, 6],
    ["äx", 2, 3],
    ["日本x", 3, 7],
  ])("puts UTF-16 column of %s, %i, at byte column %i", (text, column, bytes) => {
    expect(utf8Columns(text)({ line: 1, column })).toBe(bytes);
  });

  it("agrees with the platform's encoder at every character border of any text", () => {
    const unit = fc.constantFrom(
      "a",
      "\u007f",
      "\u0080",
      "\u07ff",
      "\u0800",
      "日",
      "😀",
      "\n",
      "\r",
      "\r\n",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 600 }), fc.array(unit), (before, after) => {
        const source = [...before, ...after].join("");
        const offset = before.join("").length;
        const position = new LineIndex(source).position(offset);
        const line = source.slice(offset - position.column + 1, offset);
        expect(utf8Columns(source)(position)).toBe(new TextEncoder().encode(line).length + 1);
      }),
    );
  });

  it.each([[{ line: 3, column: 1 }], [{ line: 1, column: 5 }], [{ line: 1, column: 0 }]])(
    "answers null for a place outside the text: %j",
    (position) => {
      expect(utf8Columns("ab\ncd")(position)).toBeNull();
    },
  );
});
