import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../shared/config/read-config.ts";
import { LineIndex } from "../../../../shared/config/tree/line-index.ts";

const paths = fc.constantFrom(
  undefined,
  "agent.yaml",
  ".mcp.json",
  ".vscode/mcp.json",
  ".codex/config.toml",
  "opencode.json",
  "librechat.yaml",
);

/** Pieces that configs are made of, so that random texts get past the parsers now and then. */
const pieces = fc.constantFrom(
  "tools:\n",
  "  - name: a\n",
  "    type: mcp\n",
  "    command: npx\n",
  "    args: [-y, a]\n",
  "mcpServers",
  '"',
  ":",
  ": ",
  "{",
  "}",
  "[",
  "]",
  ",",
  "\n",
  "\r\n",
  "- ",
  "&a ",
  "*a ",
  "<<: ",
  "!!binary ",
  "# gangway-ignore GW204: x\n",
  "// c\n",
  "/*",
  "*/",
  "${A}",
  "$${A}",
  "\u0000",
  "\uFEFF",
  "😀",
  "\t",
  "'",
  '"""',
  "[mcp_servers.a]\n",
  "url = ",
  "|\n",
  "---\n",
  "__proto__",
  "1e999",
  ".nan",
  "%",
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((list) => list.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** How many findings there are; each lies inside the text. */
function check(text: string, path: string | undefined): number {
  const reading = readConfig({ text, ...(path === undefined ? {} : { path }) });
  const end = new LineIndex(text).position(text.length);
  for (const { line, column, end_line } of reading.findings) {
    if (line === null || column === null || end_line === null) continue;
    expect(line).toBeGreaterThan(0);
    expect(column).toBeGreaterThan(0);
    expect(end_line).toBeLessThanOrEqual(end.line);
  }
  return reading.findings.length;
}

describe("any input", () => {
  it("of text is answered with findings inside the text", () => {
    fc.assert(
      fc.property(texts, paths, (text, path) => {
        check(text, path);
      }),
      { numRuns: 2000 },
    );
  });

  it("of bytes is answered", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readConfig({ bytes }).findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("of plain data is answered", () => {
    const tree = fc.anything({ maxDepth: 5, withNullPrototype: true, withBigInt: false });
    const shaped = fc.record({
      mcpServers: fc.dictionary(
        fc.string(),
        fc.record({ command: tree, args: tree, env: tree, url: tree, type: tree }),
      ),
    });
    const native = fc.record({
      tools: fc.array(
        fc.record({
          name: tree,
          type: fc.constant("mcp"),
          command: tree,
          args: tree,
          config: tree,
          headers: tree,
          timeout: tree,
        }),
      ),
    });
    fc.assert(
      fc.property(fc.oneof(tree, shaped, native), (value) => {
        const reading = readConfig({ value });
        expect(reading.findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it("gets the same findings with comments and blank lines added, but for their lines", () => {
    const text =
      "tools:\n  - name: a-b\n    type: mcp\n    command: node\n    args: [x]\n    env:\n      PATH: ${env:X}\n";
    const ids = (source: string) =>
      readConfig({ text: source }).findings.map(({ id, pointer, message }) => [
        id,
        pointer,
        message,
      ]);
    const lines = text.split("\n");
    fc.assert(
      fc.property(
        fc.nat(lines.length - 1),
        fc.constantFrom("", "# note", "   # note"),
        (at, extra) => {
          expect(ids(lines.toSpliced(at, 0, extra).join("\n"))).toEqual(ids(text));
        },
      ),
    );
  });

  it.each([
    ["brackets", "[".repeat(100_000)],
    ["braces", '{"a":'.repeat(100_000)],
    ["YAML sequences", "- ".repeat(50_000)],
    ["YAML maps", Array.from({ length: 2000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["quotes", "'".repeat(100_000)],
    ["anchors", "&a ".repeat(20_000)],
    ["aliases", `a: &a 1\nb: [${"*a, ".repeat(20_000)}]`],
    ["colons", ":".repeat(100_000)],
    ["question marks", "? ".repeat(20_000)],
    ["quotes in a list", `tools: [${'"'.repeat(4_000_000)}`],
    ["comments", `${"#\n".repeat(500_000)}tools: []\n`],
    ["blank lines", "\n".repeat(4_000_000)],
    ["commas", `[${",".repeat(4_000_000)}`],
    ["texts in a TOML list", `a = [${'"",'.repeat(1_300_000)}]`],
    [
      "small servers",
      `tools:\n${Array.from({ length: 17_000 }, (_, index) => ` - {name: s${index}, type: mcp, command: npx, args: [a@1.0.0]}`).join("\n")}`,
    ],
    ["one wide map", Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join("\n")],
    ["TOML arrays", `a = ${"[".repeat(20_000)}`],
    ["TOML tables", `[${"a.".repeat(20_000)}a]`],
    ["TOML dotted keys", `${"a.".repeat(100_000)}a = 1`],
    [
      "keys in a table with a long name",
      `[mcp_servers.${"k".repeat(400_000)}]\n${Array.from({ length: 20_000 }, (_, index) => `a${index} = 1`).join("\n")}`,
    ],
    [
      "unknown fields below a long key",
      JSON.stringify({
        mcpServers: {
          ["k".repeat(400_000)]: Object.fromEntries(
            Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1]),
          ),
        },
      }),
    ],
  ])(
    "of %s without end is answered in time",
    (_, text) => {
      for (const path of ["agent.yaml", "mcp.json", "config.toml"]) {
        expect(check(text, path)).toBeGreaterThan(0);
      }
    },
    // What is not linear takes minutes.
    60_000,
  );
});
