import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmlessJson } from "../../../../shared/reports/harmless-json.ts";
import { hostile } from "./samples.ts";

describe("harmlessJson", () => {
  it("writes values that a parser reads back unchanged", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (values) => {
        expect(JSON.parse(harmlessJson(values))).toEqual(values);
      }),
    );
  });

  it("holds no control character but the last line feed, no hidden one, no runner command", () => {
    const text = harmlessJson(hostile);
    expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|##[a-z]*\[/u);
    expect(text.endsWith("\n")).toBe(true);
    expect(JSON.parse(text)).toEqual(hostile);
  });
});
