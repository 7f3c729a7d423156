import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf } from "../../../../shared/reports/excerpt.ts";

function region(column: number, endColumn: number | null, endLine = 1) {
  const end = endColumn === null ? null : { line: endLine, column: endColumn };
  return { start: { line: 1, column }, end };
}

describe("excerptOf", () => {
  it.each([
    ["marks the place", "key: value", region(6, 11), "key: value", "     ^^^^^"],
    ["marks one character without an end", "key: value", region(6, null), "key: value", "     ^"],
    ["marks one character of an empty place", "key:", region(5, 5), "key:", "    ^"],
    ["marks to the end where the place goes on", "a: |", region(4, 3, 5), "a: |", "   ^"],
    ["shows tabs as spaces", "\tkey:\tx", region(7, 8), "    key:    x", "            ^"],
    ["gives wide characters two cells", "日本: 語", region(5, 6), "日本: 語", "      ^^"],
    ["gives combining marks no cell", "e\u0301: x", region(5, 6), "e\u0301: x", "   ^"],
    ["gives escapes their length", "a\u001bb", region(3, 4), String.raw`a\u001bb`, "       ^"],
    ["marks a whole surrogate pair", "😀x", region(1, 3), "😀x", "^^"],
    ["stays inside the line", "ab", region(40, 50), "ab", "  ^"],
  ])("%s", (...[, line, place, shown, marks]) => {
    expect(excerptOf(line, place)).toEqual({ line: shown, marks });
  });

  it("cuts a long line to a window around the place", () => {
    const line = `${"x".repeat(5000)}HERE${"y".repeat(5000)}`;
    const excerpt = excerptOf(line, region(5001, 5005));
    expect(excerpt.line).toMatch(/^…x+HEREy+…$/);
    expect(excerpt.line.length).toBeLessThanOrEqual(102);
    expect(excerpt.marks.trim()).toBe("^^^^");
    expect(excerpt.line.slice(excerpt.marks.indexOf("^")).startsWith("HERE")).toBe(true);
  });

  it("breaks a runner command wherever the window falls", () => {
    for (let column = 1; column < 20; column += 1)
      expect(excerptOf("a: ##[group]b ##vso[c", region(column, null)).line).toBe(
        String.raw`a: #\u0023[group]b #\u0023vso[c`,
      );
  });

  it("shows a bounded, harmless line with at least one caret for any line and place", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 500 }),
        (line, column, end) => {
          const excerpt = excerptOf(line, region(column, Math.max(column, end)));
          expect(excerpt.line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          expect(excerpt.line.length).toBeLessThanOrEqual(400);
          expect(excerpt.marks).toMatch(/^ *\^+$/);
        },
      ),
    );
  });
});
