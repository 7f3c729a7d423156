import { describe, expect, it } from "vitest";
import { createFinder } from "../../../../shared/secrets/find-secrets.ts";
import {
  escapedUnit,
  escapedValue,
  isEscapeStart,
  matchEscaped,
} from "../../../../shared/secrets/match-escaped.ts";
import { spellings } from "../../../../shared/secrets/spellings.ts";

describe("an escaped value", () => {
  it.each([
    ["ab", "ab", 2],
    [String.raw`\b`, "\b", 2],
    [String.raw`\f`, "\f", 2],
    [String.raw`\n`, "\n", 2],
    [String.raw`\r`, "\r", 2],
    [String.raw`\t`, "\t", 2],
    [String.raw`\v`, "\v", 2],
    [String.raw`\0`, "\0", 2],
    [String.raw`\"`, '"', 2],
    [String.raw`\'`, "'", 2],
    [String.raw`\/`, "/", 2],
    ["\\\\", "\\", 2],
    ["%41%5a", "AZ", 6],
    ["%C3%a4", "ä", 6],
    [String.raw`\u00E4`, "ä", 6],
    [String.raw`\ud83d\uDE00`, "😀", 12],
    ["a+b", "a b", 3],
  ])("stands in %s as %j, up to %i", (text, value, end) => {
    expect(matchEscaped(text, 0, escapedValue(value))).toBe(end);
  });

  it.each([
    ["a", "xa"],
    ["xn", "\n"],
    ["+", "x"],
    ["x", " "],
    ["%4G", "A"],
    ["%4G", "?"],
    ["%4/", "?"],
    ["%4.", ">"],
    ["%4g", "P"],
    ["%4@", "I"],
    ["%4", "A"],
    ["%C3xA4", "ä"],
    [String.raw`\u0042`, "A"],
    [String.raw`\ud83dxude00`, "😀"],
    [String.raw`\ud83d\xde00`, "😀"],
  ])("does not stand in %s as %j", (text, value) => {
    expect(matchEscaped(text, 0, escapedValue(value))).toBe(-1);
  });
});

describe("an escape", () => {
  it.each([
    ["+", 0x20],
    ["%41", 0x41],
    ["%7f", 0x7f],
    ["%80", null],
    ["%C3%A4", null],
    ["%zz", -1],
    [String.raw`\u00e4`, 0xe4],
    [String.raw`\n`, 0x0a],
    [String.raw`\q`, -1],
    ["xn", -1],
  ])("%s begins with the code unit %j", (text, unit) => {
    expect(escapedUnit(text, 0)).toBe(unit);
  });

  it("begins with %, a backslash or +, and nothing else", () => {
    const all = Array.from({ length: 0x80 }, (_, code) => code).filter(isEscapeStart);
    expect(String.fromCharCode(...all)).toBe("%+\\");
  });
});

describe("a finder", () => {
  it("reads + as a space where one of the values has one", () => {
    const finder = createFinder(
      new Map([
        ["A", "pass word"],
        ["B", "password-2"],
      ]),
    );
    expect(finder.find("is pass+word.")).toEqual([{ start: 3, end: 12, name: "A" }]);
  });
});

describe("the spellings of a value", () => {
  it("hold encodings of eight characters, and none that is shorter", () => {
    expect([...spellings("test")].sort()).toEqual(["74657374", "dGVzdA==", "test"]);
  });
});
