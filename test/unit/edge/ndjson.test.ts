import { describe, expect, it } from "vitest";
import { readLines } from "../../../functions/edge/ndjson.ts";

/** A stream of the chunks; `cancelled` tells whether its reader stopped early. */
function streamOf(...chunks: readonly (string | Uint8Array)[]) {
  const waiting = [...chunks];
  const told = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const next = waiting.shift();
        if (next === undefined) return controller.close();
        controller.enqueue(typeof next === "string" ? new TextEncoder().encode(next) : next);
      },
      cancel: () => void (told.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { stream, told };
}

async function linesOf(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const lines: string[] = [];
  await readLines(streamOf(...chunks).stream, 100, (line) => void lines.push(line));
  return lines;
}

describe("readLines", () => {
  it.each([
    ["one a chunk", ["a\n", "b\n"]],
    ["several in a chunk", ["a\nb\n"]],
    ["cut in the middle", ["", "a", "\nb", "\n"]],
    ["without an end", ["a\nb"]],
    ["with empty ones and blanks between", ["\n\na\n \n", "\n", "b\n\n"]],
  ])("tells lines that come %s", async (_how, chunks) => {
    expect(await linesOf(...chunks)).toEqual(["a", "b"]);
  });

  it("tells lines in order whose parts come in many chunks", async () => {
    expect(await linesOf("ab", "cd", "ef\ngh", "ij\nk", "l\nm")).toEqual([
      "abcdef",
      "ghij",
      "kl",
      "m",
    ]);
  });

  it("puts characters together whose bytes come apart", async () => {
    const bytes = new TextEncoder().encode("zwölf\n");
    expect(await linesOf(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(["zwölf"]);
  });

  it("ends with the first outcome and cancels the rest", async () => {
    const { stream, told } = streamOf("a\nb\nc\n", "d\n");
    const seen: string[] = [];
    const outcome = await readLines(stream, 100, (line) => {
      seen.push(line);
      return line === "b" ? "found" : undefined;
    });
    expect([outcome, seen, told.cancelled]).toEqual(["found", ["a", "b"], true]);
  });

  it("answers nothing for a stream that ends without an outcome", async () => {
    expect(await readLines(streamOf("a\n").stream, 100, () => undefined)).toBeUndefined();
  });

  it("fails with what its listener throws, and cancels the rest", async () => {
    const { stream, told } = streamOf("a\n", "b\n");
    const failing = readLines(stream, 100, () => {
      throw new TypeError("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(told.cancelled).toBe(true);
  });

  it("refuses a line above the limit, in one chunk or in many, and none below it", async () => {
    const read = (...chunks: string[]) =>
      readLines(streamOf(...chunks).stream, 10, () => undefined);
    const refused = { code: "RESPONSE_TOO_LARGE", executed: "maybe" };
    await expect(read("x".repeat(11))).rejects.toMatchObject(refused);
    await expect(read("xxxxx", "xxxxx", "x")).rejects.toMatchObject(refused);
    await expect(read("x\nxxxxx", "xxxxxx")).rejects.toMatchObject(refused);
    await expect(read("xxxxx\n".repeat(9), "xxxxxxxxxx", "\nxx")).resolves.toBeUndefined();
  });
});
