import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../shared/config/read-config.ts";
import { readSampleConfigs } from "./sample-configs.ts";

const folder = fileURLToPath(new URL("../../../../../shared/corpus/", import.meta.url));
const sampleConfigs = readSampleConfigs(folder);

/** One edit of a text, placed by fractions of its length. */
interface Edit {
  readonly from: number;
  readonly length: number;
  readonly insert: string;
  readonly repeat: boolean;
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    from: fraction,
    length: fraction.map((part) => part ** 4),
    insert: fc.constantFrom(
      "",
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "\n",
      "\r",
      "\t",
      "\0",
      "\uFEFF",
      "# x\n",
      "// x\n",
      "---\n",
      "${A}",
      "é",
      "😀",
      "\ud800",
      "- ",
      "&a ",
      "*a",
      "<<<<<<< a\n",
      ">>>>>>> b\n",
    ),
    repeat: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

function edited(text: string, list: readonly Edit[]): string {
  return list.reduce((before, { from, length, insert, repeat }) => {
    const start = Math.floor(from * before.length);
    const end = start + Math.floor(length * (before.length - start));
    const cut = before.slice(start, end);
    return before.slice(0, start) + (repeat ? cut + insert + cut : insert) + before.slice(end);
  }, text);
}

describe.runIf(sampleConfigs.length > 0)("sample configs with random edits", () => {
  it("are answered in the same way twice, with places inside the text", () => {
    const sample = fc.nat(sampleConfigs.length - 1);
    fc.assert(
      fc.property(sample, edits, (index, list) => {
        const { text: original = "", path = "" } = sampleConfigs[index] ?? {};
        const text = edited(original, list);
        const reading = readConfig({ text, path });
        expect(readConfig({ text, path })).toEqual(reading);
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line, column, end_line, end_column } of reading.findings) {
          if (line === null || column === null || end_line === null || end_column === null)
            continue;
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(line < end_line || (line === end_line && column <= end_column)).toBe(true);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
          expect(end_line).toBeLessThanOrEqual(lines.length);
          expect(end_column).toBeLessThanOrEqual((lines[end_line - 1] ?? "").length + 1);
        }
      }),
      { numRuns: 1000 },
    );
  }, 60_000);
});

/** Where a blank line or a comment may stand: between lines that are no part of a longer text. */
const inserts: Readonly<Record<string, readonly string[]>> = {
  json: ["", "   "],
  jsonc: ["", "// note", "/* note */"],
  yaml: ["", "# note", "      # note"],
  toml: ["", "# note"],
};

function syntaxOf(path: string): string {
  if (/\.ya?ml$/.test(path)) return "yaml";
  if (path.endsWith(".toml")) return "toml";
  // Clients of strict JSON are told of comments: those have a rule of their own.
  return /\.vscode\/mcp\.json$|opencode/.test(path) ? "jsonc" : "json";
}

describe.runIf(sampleConfigs.length > 0)("lines without content", () => {
  /** Block and multi-line texts take lines in as their own. */
  const plain = sampleConfigs.filter(({ text }) => !/[|>][-+]?\s*\n|"""|'''/.test(text));

  it("change no finding but its line", () => {
    const sample = fc.nat(plain.length - 1);
    fc.assert(
      fc.property(sample, fraction, fc.nat(2), (index, place, choice) => {
        const { text = "", path = "" } = plain[index] ?? {};
        const reading = readConfig({ text, path });
        if (!reading.documentOk) return;
        const lines = text.split("\n");
        const at = Math.floor(place * lines.length);
        const choices = inserts[syntaxOf(path)] ?? [];
        const longer = lines.toSpliced(at, 0, choices[choice % choices.length] ?? "").join("\n");
        const moved = (line: number | null) => (line !== null && line > at ? line + 1 : line);
        expect(readConfig({ text: longer, path }).findings).toEqual(
          reading.findings.map((finding) => ({
            ...finding,
            line: moved(finding.line),
            end_line: moved(finding.end_line),
          })),
        );
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
