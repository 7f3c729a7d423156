import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, type Redactor } from "../../../../shared/secrets/redact.ts";
import { longestWrapped } from "../../../../shared/secrets/unwrap.ts";
import { canary, encoders } from "./canaries.ts";
import { runs } from "../../../support/property-runs.ts";

function inPieces(redactor: Redactor, text: string, cuts: readonly number[]): string {
  const stream = redactor.stream();
  const borders = [...cuts].map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  let redacted = "";
  let from = 0;
  for (const border of borders) {
    redacted += stream.push(text.slice(from, border));
    from = border;
  }
  return redacted + stream.push(text.slice(from)) + stream.end();
}

describe("a redact stream", () => {
  it("redacts pieces, cut anywhere, as the whole (case 27)", () => {
    fc.assert(
      fc.property(
        fc.array(canary, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.constantFrom(...Object.values(encoders)), fc.nat(2), fc.string()), {
          maxLength: 6,
        }),
        fc.array(fc.nat(2_000), { maxLength: 12 }),
        (canaries, parts, cuts) => {
          const redactor = createRedactor(new Map(canaries.map((value, i) => [`N${i}`, value])));
          const text = parts
            .map(([encode, which, after]) => encode(canaries[which] ?? "plain") + after)
            .join("");
          expect(inPieces(redactor, text, cuts)).toBe(redactor.text(text));
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  it("redacts a value that comes one character at a time between long texts", () => {
    const redactor = createRedactor(new Map([["A", "hunter2-hunter2"]]));
    const text = `${"x".repeat(2_000)}hunter2-hunter2${"y".repeat(2_000)}`;
    const everywhere = Array.from({ length: text.length }, (_, cut) => cut);
    expect(inPieces(redactor, text, everywhere)).toBe(redactor.text(text));
  });

  it.each(Object.entries(encoders))(
    "masks a value %s, cut at any of its characters",
    (_how, encode) => {
      for (const value of ["€uro/ 12€", "€€€€€€€€"]) {
        const redactor = createRedactor(new Map([["A", value]]));
        const text = `${"x".repeat(400)}${encode(value)}${"y".repeat(400)}`;
        for (let cut = 400; cut <= text.length - 400; cut += 1) {
          expect(inPieces(redactor, text, [cut])).toBe(redactor.text(text));
        }
      }
    },
  );

  it("masks a value that is wrapped as long as can be, cut anywhere", () => {
    const redactor = createRedactor(new Map([["A", "hunter2-hunter2"]]));
    const wrapped = btoa("hunter2-hunter2")
      .split("")
      .join(String.raw`\r\n` + " ".repeat(8));
    const text = `${"x".repeat(600)} ${wrapped} ${"y".repeat(600)}`;
    const masked = `${"x".repeat(600)} [secret A] ${"y".repeat(600)}`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(inPieces(redactor, text, [cut])).toBe(masked);
    }
  });

  it("masks a value that is too short to be searched in encodings, cut anywhere", () => {
    const redactor = createRedactor(new Map([["A", "a/b"]]), { shortest: 3 });
    const text = `${"x".repeat(60)}${String.raw`\u0061\u002f\u0062`}${"y".repeat(60)}`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(inPieces(redactor, text, [cut])).toBe(`${"x".repeat(60)}[secret A]${"y".repeat(60)}`);
    }
  });

  it("labels the longer of two values that begin alike, cut anywhere", () => {
    const values = new Map([
      ["A", "€€€€"],
      ["B", "€€€€€€"],
    ]);
    const redactor = createRedactor(values);
    // The longest spelling: what begins where the certain text ends may still grow by one.
    const spelled = encodeURIComponent(encodeURIComponent("€€€€€€"));
    const text = `${"x".repeat(400)}${spelled}${"y".repeat(400)}`;
    for (let cut = 400; cut <= text.length - 400; cut += 1) {
      expect(inPieces(redactor, text, [cut])).toBe(
        `${"x".repeat(400)}[secret B]${"y".repeat(400)}`,
      );
    }
  });

  it("masks one run of overlapping matches once, however long it is", () => {
    const redactor = createRedactor(new Map([["A", "aaaaaaaa"]]));
    const text = `<${"a".repeat(5_000)}>`;
    expect(inPieces(redactor, text, [1, 90, 700, 1_500, 3_000])).toBe("<[secret A]>");
  });

  it("holds back a bounded rest", () => {
    const value = "hunter2-hunter2";
    const stream = createRedactor(new Map([["A", value]])).stream();
    const written = stream.push("z".repeat(10_000)).length;
    expect(10_000 - written).toBeLessThan(2 * btoa(value).length * longestWrapped);
    expect(written + stream.end().length).toBe(10_000);
  });

  it("hands text on at once where there is no value to search for", () => {
    expect(createRedactor(new Map()).stream().push("text")).toBe("text");
  });
});
