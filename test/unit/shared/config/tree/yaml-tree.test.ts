import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../../../../shared/config/diagnostics.ts";
import { fileLimits } from "../../../../../shared/config/limits.ts";
import { composeYaml } from "../../../../../shared/config/tree/yaml-compose.ts";
import { isControl, lexYaml, readTokens } from "../../../../../shared/config/tree/yaml-tokens.ts";
import { parseYaml } from "../../../../../shared/config/tree/yaml-tree.ts";

function tokensOf(text: string) {
  return readTokens(lexYaml(text, Number.POSITIVE_INFINITY).list ?? []);
}

function told(text: string, limits = fileLimits) {
  const diagnostics = new Diagnostics();
  parseYaml(text, limits, diagnostics);
  return diagnostics.list.map(({ rule, message, span }) => ({ rule, message, at: span?.start }));
}

describe("the lexemes of a YAML text", () => {
  it("make up the text again", () => {
    const text = "# c\na: [1, 'x y', {b: |\n}]\n...\n";
    const list = lexYaml(text, 100).list ?? [];
    expect(list.filter((lexeme) => !isControl(lexeme)).join("")).toBe(text);
  });

  it("end at the limit, and tell where in the text", () => {
    expect(lexYaml("#\n".repeat(100_000), 7)).toEqual({ list: null, end: 7 });
  });
});

describe("the tokens of a YAML text", () => {
  it.each([
    ["directives", "%FOO bar\n".repeat(10_000)],
    ["ends of documents", "...\n".repeat(10_000)],
    ["closing brackets", `a: ${"]".repeat(10_000)}`],
    ["documents", "--- a\n".repeat(10_000)],
  ])("are few for %s without end", (_, text) => {
    const tokens = tokensOf(text).filter(({ type }) => type !== "newline");
    expect(tokens.length).toBeLessThan(30);
  });
});

describe("composing", () => {
  it.each([
    ["items without commas", "tools: [" + '"'.repeat(100_000) + "]"],
    ["maps in one line", "a: b: c: d\n".repeat(10_000)],
    ["lists in a list", `[${'["a" "b"],'.repeat(10_000)}]`],
    ["aliases without names", `[${"* ,".repeat(10_000)}]`],
  ])("stops at the twentieth error of %s", (_, text) => {
    const { documents, errors } = composeYaml(tokensOf(text), text.length);
    expect(errors).toHaveLength(20);
    expect(documents).toEqual([]);
  });

  it("reports every error of a text with a few, and still reads to the end", () => {
    const text = "tools: [a b: c, 'd' 'e', 'f' 'g']\n";
    const { documents, errors } = composeYaml(tokensOf(text), text.length);
    expect(documents).toHaveLength(1);
    expect(errors.map(({ pos }) => pos[0])).toEqual([20, 29]);
  });

  it("stops at tags without end, and tells it", () => {
    const text = `[${"!a x,".repeat(5000)}]`;
    const { documents, lastWarning } = composeYaml(tokensOf(text), text.length);
    expect(documents).toEqual([]);
    expect(lastWarning?.pos[0]).toBe(1 + 1000 * "!a x,".length);
    expect(told(text).map(({ rule }) => rule)).toEqual(["GW106"]);
  });
});

describe("a YAML text that is too large", () => {
  it("of signs is refused by the number of its tokens", () => {
    const text = `tools: [${'"'.repeat(1_000_000)}`;
    const [finding, ...others] = told(text);
    expect(others).toEqual([]);
    expect(finding?.message).toBe("The document is larger than 400000 tokens.");
    expect(finding?.at).toBeGreaterThan(700_000);
  });

  it("of values is refused before it is composed", () => {
    // Composing would tell the missing comma.
    const text = `[${"a, ".repeat(99)}"b" "c"]`;
    expect(told(text, { ...fileLimits, maxNodes: 99 })).toEqual([
      { rule: "GW105", message: "The document is larger than 99 values.", at: 0 },
    ]);
    expect(told(text, { ...fileLimits, maxNodes: 102 }).map(({ rule }) => rule)).toContain("GW100");
  });

  it("is not one of 5,000 ordinary servers", () => {
    const entry = (index: number) =>
      `  - name: server_${index}\n    type: mcp\n    description: What it is for\n    command: npx\n    args: [-y, "@scope/server-${index}@1.4.1", --region, eu]\n    env:\n      SERVER_TOKEN: "\${TOKEN}"\n      LOG_LEVEL: info\n`;
    const text =
      `# comment\n`.repeat(5000) +
      `tools:\n${Array.from({ length: 5000 }, (_, index) => entry(index)).join("")}`;
    expect(told(text)).toEqual([]);
  });
});
