import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, LineFramer } from "../../../../functions/host/process/line-framer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (frame: Frame) =>
  frame.kind === "line" ? new TextDecoder().decode(frame.bytes) : frame.kind;

function frames(chunks: readonly Uint8Array[], maxBytes: number): Frame[] {
  const framer = new LineFramer(maxBytes);
  return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.rest()];
}

describe("LineFramer", () => {
  it("gives the same lines wherever the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" }).filter((line) => !line.includes("\n"))),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (lines, sizes) => {
          const whole = bytes(lines.map((line) => `${line}\n`).join(""));
          const chunks: Uint8Array[] = [];
          for (let start = 0; start < whole.length;) {
            const size = sizes.next().value ?? 1;
            chunks.push(whole.subarray(start, start + size));
            start += size;
          }
          const expected = lines.map((line) => new TextDecoder().decode(bytes(line)));
          expect(frames(chunks, 1_000_000).map(textOf)).toEqual(expected);
        },
      ),
    );
  });

  it("gives what stands after the last line feed at the end", () => {
    expect(frames([bytes("one\ntw"), bytes("o")], 100).map(textOf)).toEqual(["one", "two"]);
  });

  it.each([
    ["at the start", `{"jsonrpc":"2.0","id":7,"result":{"text":"${"x".repeat(100)}"}}`, 7],
    ["at the end", `{"result":{"id":1,"text":"${"x".repeat(100)}"},"jsonrpc":"2.0","id":7}`, 7],
    ["as text", `{"result":{"text":"${"x".repeat(100)}"},"id" : "a-7" }`, "a-7"],
    ["after a text that looks like it", `{"result":"\\"id\\":9,${"x".repeat(100)}","id":7}`, 7],
    ["only inside", `{"result":{"id":7,"text":"${"x".repeat(100)}"}}`, null],
    ["as an object", `{"id":{"a":1},"result":"${"x".repeat(100)}"}`, null],
    ["nowhere", "x".repeat(200), null],
  ])("tells the id of a line above the limit that has it %s", (_where, line, id) => {
    expect(frames([bytes(`${line}\nnext\n`)], 50)).toEqual([
      { kind: "oversize", id, isAnswer: true, limitBytes: 50 },
      { kind: "line", bytes: Buffer.from("next") },
    ]);
  });

  it("knows a large notification for no answer", () => {
    const line = `{"jsonrpc":"2.0","method":"notifications/message","params":"${"x".repeat(100)}"}\n`;
    expect(frames([bytes(line)], 50)).toMatchObject([{ kind: "oversize", isAnswer: false }]);
  });

  it("takes a line of exactly the limit", () => {
    expect(frames([bytes("12345\n123456\n")], 5).map(textOf)).toEqual(["12345", "oversize"]);
  });

  it("gives up a line without an end, once, and reads nothing after it", () => {
    const framer = new LineFramer(10);
    const seen = Array.from({ length: 20 }, () => framer.push(bytes("x".repeat(10)))).flat();
    expect(seen).toEqual([{ kind: "flood", limitBytes: 10 }]);
    expect(framer.push(bytes("\nline\n"))).toEqual([]);
    expect(framer.rest()).toEqual([]);
  });
});
