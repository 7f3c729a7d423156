import { describe, expect, it } from "vitest";
import { parseEnvFile } from "../../../../shared/config/env-file.ts";

describe("parseEnvFile", () => {
  it.each([
    ["A=1", { A: "1" }],
    ["A=1\nB=2", { A: "1", B: "2" }],
    ["A=1\r\nB=2\r\n", { A: "1", B: "2" }],
    ["\uFEFFA=1", { A: "1" }],
    ["  A = 1  ", { A: "1" }],
    ["export A=1", { A: "1" }],
    ["# A=1\n\nB=2 # two\nC=a#b", { B: "2", C: "a#b" }],
    ['A="x y # z"', { A: "x y # z" }],
    ["A='x \\n y'", { A: "x \\n y" }],
    ["A=`x \"y\" 'z'`", { A: "x \"y\" 'z'" }],
    ['A="x\\ny\\"z\\q"', { A: 'x\ny"z\\q' }],
    ['A="first\nsecond"\nB=2', { A: "first\nsecond", B: "2" }],
    ['A="x" # note', { A: "x" }],
    ['A="open\nB=2', { A: '"open', B: "2" }],
    ['A="x"y', { A: '"x"y' }],
    ["A=", { A: "" }],
    ["A=${B} $C", { A: "${B} $C" }],
    ["A=b=c", { A: "b=c" }],
    ["A=1\nA=2", { A: "2" }],
    ["", {}],
  ])("reads %j", (text, values) => {
    expect(parseEnvFile(text).values).toEqual(values);
  });

  it("tells lines that it does not use, with their place", () => {
    const { findings } = parseEnvFile("A=1\nnot a pair\nA=2\n");
    expect(findings.map(({ id, line, message }) => [id, line, message])).toEqual([
      ["GW602", 2, "The line is not of the form NAME=value."],
      ["GW602", 3, "'A' is set twice; the last one counts."],
    ]);
  });

  it("never sets a name that could reach a prototype", () => {
    const { values } = parseEnvFile("__proto__=x\nconstructor=y");
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
    expect(Object.keys(values)).toEqual(["constructor"]);
  });

  it("never shows a value in a finding", () => {
    const { findings } = parseEnvFile("A=hunter2\nA=hunter3\n;hunter4\n");
    expect(JSON.stringify(findings)).not.toMatch(/hunter/);
  });

  it("reads a megabyte of unclosed quotes without going over it again and again", () => {
    const text = 'A="x\n'.repeat(200_000);
    // The test's own time limit: what is not linear takes minutes.
    expect(parseEnvFile(text).findings.length).toBeGreaterThan(0);
  }, 60_000);
});
