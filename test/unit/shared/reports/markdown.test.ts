import { describe, expect, it } from "vitest";
import { codeSpan, markdownLiteral } from "../../../../shared/reports/markdown.ts";
import { visible } from "../../../../shared/reports/visible.ts";
import { hostile } from "./samples.ts";

describe("markdownLiteral", () => {
  it.each([
    "The package is not pinned.",
    "Use `docker run` with `-i` (see 3.1)",
    "Quoted markup `<b>|[x](y)` stays quoted",
  ])("leaves %s as it is", (line) => {
    expect(markdownLiteral(line)).toBe(line);
  });

  it.each([
    ["a <b> c", "`a <b> c`"],
    ["see https://evil.example", "`see https://evil.example`"],
    ["ask @someone", "`ask @someone`"],
    ["a `b` <c>", "``a `b` <c>``"],
    ["a `b", "``a `b``"],
    ["a ``b`` c", "```a ``b`` c```"],
    ["1. item", "`1. item`"],
    ["- item", "`- item`"],
    ["`` ` ``", "``` `` ` `` ```"],
  ])("writes %s as %s", (line, markdown) => {
    expect(markdownLiteral(line)).toBe(markdown);
  });

  it.each(hostile.map(visible))("puts %s into a code span whole", (line) => {
    expect(markdownLiteral(line)).toBe(codeSpan(line));
  });
});

describe("codeSpan", () => {
  it("takes a fence longer than any run inside, for any number of runs", () => {
    expect(codeSpan("` ".repeat(300_000)).startsWith("`` ")).toBe(true);
  });

  it("writes nothing for nothing", () => {
    expect(codeSpan("")).toBe("");
  });
});
