import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../shared/secrets/redact.ts";
import { canary, encoders } from "./canaries.ts";
import { runs } from "../../../support/property-runs.ts";

const spellingNames = Object.keys(encoders);
const awkward = 's3cr3t/+ "värde"\n\\ 😀?';

function spell(how: string, value: string): string {
  const encode = encoders[how];
  if (encode === undefined) throw new TypeError(`no encoder ${how}`);
  return encode(value);
}

/** The digits of base64 that the value alone decides are gone; at most two at each border stay. */
function survives(how: string, value: string, redacted: string): boolean {
  const spelled = spell(how, value);
  return how.startsWith("in base64")
    ? !redacted.includes("[secret A]")
    : redacted.includes(spelled);
}

describe("a redactor", () => {
  it.each(spellingNames)("masks a value %s (case 27)", (how) => {
    const redactor = createRedactor(new Map([["A", awkward]]));
    const redacted = redactor.text(`before <${spell(how, awkward)}> after`);
    expect(redacted).toMatch(/^before <.*\[secret A\].*> after$/s);
    expect(redacted.length).toBeLessThan("before <[secret A]> after".length + 60);
    expect(survives(how, awkward, redacted)).toBe(false);
  });

  it("leaves no spelling of any value in any text (case 27)", () => {
    fc.assert(
      fc.property(
        canary,
        fc.constantFrom(...spellingNames),
        fc.string(),
        fc.string(),
        (value, how, before, after) => {
          fc.pre(!"[secret A]".includes(value));
          const text = `${before}${spell(how, value)}${after}`;
          expect(survives(how, value, createRedactor(new Map([["A", value]])).text(text))).toBe(
            false,
          );
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it.each(["abcdefghijkl", "abcdefghijklm", "abcdefghijklmn"])(
    "leaves nothing of base64 that holds %s alone, with or without padding",
    (value) => {
      const redactor = createRedactor(new Map([["A", value]]));
      for (const text of [btoa(value), btoa(value).replaceAll("=", "")]) {
        expect(redactor.text(`<${text}>`)).toBe("<[secret A]>");
      }
    },
  );

  it("leaves at most two base64 digits at each end of a value, a few bits of its neighbours", () => {
    const redactor = createRedactor(new Map([["A", "abcdefghijkl"]]));
    for (const before of ["", "x", "xy"]) {
      const text = btoa(`${before}abcdefghijkl`);
      const rest = redactor.text(text).replace("[secret A]", "");
      expect(rest.replaceAll("=", "").length).toBeLessThanOrEqual(4);
    }
  });

  it("masks a value in JSON texts inside JSON texts, however often it is escaped (case 27)", () => {
    const value = 'pa"ss\\word-19';
    const redactor = createRedactor(new Map([["A", value]]));
    let text = JSON.stringify({ note: `it is ${value}.`, kept: ["a\\\\b", 1.5, null] });
    for (let level = 0; level < 4; level += 1) {
      text = JSON.stringify({ level, text });
      let inner: unknown = JSON.parse(redactor.text(text));
      for (let at = level; at >= 0; at -= 1) inner = JSON.parse((inner as { text: string }).text);
      expect(inner).toEqual({ note: "it is [secret A].", kept: ["a\\\\b", 1.5, null] });
    }
  });

  it("leaves JSON texts without a value as they are, to the last character", () => {
    const redactor = createRedactor(new Map([["A", 'pa"ss\\word-19']]));
    const text = String.raw` {"big": 12345678901234567890, "text": "{\\\"a\\\": 1.0}"} `;
    expect(redactor.text(text)).toBe(text);
  });

  it("leaves ordinary text as it is", () => {
    const redactor = createRedactor(new Map([["A", "q7Zx-canary-9Wk2"]]));
    fc.assert(
      fc.property(fc.oneof(fc.lorem(), fc.json(), fc.webUrl(), fc.base64String()), (text) => {
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });

  it("does not search for values shorter than four characters", () => {
    expect(
      createRedactor(
        new Map([
          ["A", "abc"],
          ["B", ""],
        ]),
      ).text("abc"),
    ).toBe("abc");
  });

  it("does not take short base64 pieces inside an image for a value", () => {
    const text = btoa(`xtest${"y".repeat(100)}`);
    expect(createRedactor(new Map([["A", "test"]])).text(text)).toBe(text);
  });

  it("labels the longer of two values that begin alike", () => {
    const values = new Map([
      ["A", "token-1234"],
      ["B", "token-1234-extended"],
    ]);
    expect(createRedactor(values).text("token-1234-extended")).toBe("[secret B]");
  });

  it("leaves no rest of either value where two overlap", () => {
    const values = new Map([
      ["A", "abcdefgh"],
      ["B", "ghijklmn"],
    ]);
    expect(createRedactor(values).text("<abcdefghijklmn>")).toBe("<[secret A]>");
  });

  it("leaves no rest of a value that overlaps itself", () => {
    expect(createRedactor(new Map([["A", "abababab"]])).text("<ababababab>")).toBe("<[secret A]>");
  });

  it("masks a name's label only once, though another value is part of the label", () => {
    const values = new Map([
      ["A", "hunter2-hunter2"],
      ["B", "secret"],
    ]);
    expect(createRedactor(values).text("hunter2-hunter2")).toBe("[secret A]");
  });

  it("writes the label that it was given", () => {
    const redactor = createRedactor(new Map([["A", "hunter2-hunter2"]]), { label: () => "***" });
    expect(redactor.text("<hunter2-hunter2>")).toBe("<***>");
  });

  it("reads any mixture of escapes", () => {
    const redactor = createRedactor(new Map([["A", 'a b/ä"c\\d%41']]));
    for (const spelled of ['a+b%2f%C3%a4\\"c\\\\d%2541', "a\\u0020b\\/\\u00E4%22c%5Cd%41"]) {
      expect(redactor.text(`x${spelled}y`)).toBe("x[secret A]y");
    }
  });

  it("finds an escaped value behind any escape that stands before it", () => {
    const redactor = createRedactor(new Map([["A", "abc12345"]]));
    expect(redactor.text("\\\\u0061bc12345")).toBe("\\[secret A]");
  });

  it("takes a text of megabytes without going over it again and again", () => {
    const values = new Map(Array.from({ length: 5 }, (_, i) => [`N${i}`, `gw_${i}`.repeat(9)]));
    const redactor = createRedactor(values);
    const piece = 'word "gw_0" %67w \\u0067 + gw_gw_ ';
    // The test's own time limit: what is not linear takes minutes.
    const times = runs(60_000);
    expect(redactor.text(piece.repeat(times))).toHaveLength(piece.length * times);
  }, 60_000);
});

describe("encoded data that is wrapped into lines", () => {
  const value = "hunter2-hunter2";
  const redactor = createRedactor(
    new Map([
      ["A", value],
      ["B", "pass word"],
      ["C", "1234"],
      ["D", "x.hunter3hunter3"],
      ["E", "hunter4hunter4.x"],
      ["F", "8letters"],
    ]),
  );
  const encoded = btoa(value);
  const [head, tail] = [encoded.slice(0, 7), encoded.slice(7)];

  it.each([
    ["a line feed", "\n"],
    ["a carriage return and a line feed", "\r\n"],
    ["an indentation of eight", `\n${" ".repeat(8)}`],
    ["an indentation of tabs", "\r\n\t\t"],
    ["a line feed as JSON writes it", String.raw`\n`],
    ["both as JSON writes them", String.raw`\r\n`],
  ])("is found across %s, and nothing of it stays", (_, between) => {
    expect(redactor.text(`a\nb <${head}${between}${tail}>\nc\nd`)).toBe("a\nb <[secret A]>\nc\nd");
  });

  it.each([
    ["an empty line", "\n\n"],
    ["an indentation of nine", `\n${" ".repeat(9)}`],
    ["a space", " "],
    ["a carriage return alone", "\r"],
    ["a comma", ",\n"],
  ])("is other data across %s", (_, between) => {
    const text = `${head}${between}${tail}`;
    expect(redactor.text(text)).toBe(text);
  });

  it("is a value itself where that has no other characters, and is long enough", () => {
    expect(redactor.text("hunter2\n-hunter2 8let\nters")).toBe("[secret A] [secret F]");
    const others = ["pass\n word", "12\n34", "x.hunter3\nhunter3", "hunter4\nhunter4.x"];
    for (const text of others) expect(redactor.text(text)).toBe(text);
  });

  it("may begin and end on lines that have other data", () => {
    const lines = `${"QUJD".repeat(9)}\n${"QUJD".repeat(4)}${head}\n${tail.slice(0, 5)}\n${tail.slice(5)}${"QUJD".repeat(4)}\nQUJD`;
    expect(redactor.text(lines)).toBe(
      `${"QUJD".repeat(9)}\n${"QUJD".repeat(4)}[secret A]${"QUJD".repeat(4)}\nQUJD`,
    );
  });

  it("is found everywhere that it stands", () => {
    const wrapped = `${head}\n${tail}`;
    expect(redactor.text(`${wrapped} ${encoded}\n${wrapped}`)).toBe(
      "[secret A] [secret A]\n[secret A]",
    );
  });
});

describe("the redactor of data", () => {
  const makeRedactor = () =>
    createRedactor(
      new Map([
        ["A", "hunter2-hunter2"],
        ["PIN", "1234567890"],
      ]),
    );

  it("masks strings, keys and numbers, and counts what it masked", () => {
    const data = {
      "k-hunter2-hunter2": [1, null, true, { deep: "hunter2-hunter2 and hunter2-hunter2!" }],
      pin: 1234567890,
      other: 12.5,
    };
    expect(makeRedactor().data(data)).toEqual({
      data: {
        "k-[secret A]": [1, null, true, { deep: "[secret A] and [secret A]!" }],
        pin: "[secret PIN]",
        other: 12.5,
      },
      count: 4,
    });
  });

  it.each([
    ["12345678", 12345678, "[secret PIN]"],
    ["0012345", 990012345, "99[secret PIN]"],
    ["-1.5e-20", -1.5e-20, "[secret PIN]"],
    ["1e+21", 1e21, "[secret PIN]"],
    ["12345678", 87654321, 87654321],
    // Written with more digits than a double holds, a number is another one by the time it is read.
    ["9007199254740993", JSON.parse("9007199254740993"), "[secret PIN]"],
    ["123456789012345678901234", JSON.parse("123456789012345678901234"), "[secret PIN]"],
    ["-3.14159265358979323846", JSON.parse("-3.14159265358979323846"), "[secret PIN]"],
    ["1.234567890123456789e40", JSON.parse("1.234567890123456789e40"), "[secret PIN]"],
    ["00000000000000000000012", 12, 12],
    ["0.000000000000000000010", 1e-20, 1e-20],
    ["9007199254740993", 9007199254740990, 9007199254740990],
    ["12345678e0000000001", 123456780, 123456780],
    ["1.50000000000000", 1.5, 1.5],
  ])("masks %s in the number %d where it is the only value", (value, number, expected) => {
    const { data, count } = createRedactor(new Map([["PIN", value]])).data({ number });
    expect(data).toEqual({ number: expected });
    expect(count).toBe(expected === number ? 0 : 1);
  });

  it("gives data without a value back as it is, `__proto__` keys included", () => {
    const data: unknown = JSON.parse('{"__proto__":{"admin":true},"a":[{}],"b":-0.5,"c":[]}');
    const { data: copy, count } = makeRedactor().data(data);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(data));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(count).toBe(0);
  });

  it("copies data that is nested deeper than the stack", () => {
    const levels = 100_000;
    const data: unknown = JSON.parse(`${"[".repeat(levels)}"hunter2-hunter2"${"]".repeat(levels)}`);
    let copy: unknown = makeRedactor().data(data).data;
    for (let level = 0; level < levels; level += 1) copy = (copy as unknown[])[0];
    expect(copy).toBe("[secret A]");
  });
});
