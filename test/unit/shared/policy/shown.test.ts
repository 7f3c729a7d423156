import { describe, expect, it } from "vitest";
import { optionName, shown } from "../../../../shared/policy/shown.ts";

describe("shown", () => {
  it.each([
    ["@acme/mcp", '"@acme/mcp"'],
    ["a\n::stop-commands::x", '"a\\n:…"'],
    ["\u001b[31mred", '"\\u001b[31mred"'],
    ["a\u202eb", '"a\\u202eb"'],
    ["a\u007fb", '"a\\u007fb"'],
    ["https://user:token@x", '"https:…"'],
    ["good@npm:evil", '"good@npm:…"'],
    ["a:", '"a:"'],
    ["x".repeat(100), `"${"x".repeat(80)}…"`],
    ['say "x"', '"say \\"x\\""'],
  ])("shows %j as %s", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

describe("optionName", () => {
  it.each([
    ["--token=abc", "--token"],
    ["--token", "--token"],
    ["-pabc", "-p"],
    ["-p", "-p"],
    ["--_auth=x", "-…"],
    ["--a b", "-…"],
    [`--${"a".repeat(60)}`, "-…"],
    ["-", "-…"],
  ])("names %j as %s", (argument, name) => {
    expect(optionName(argument)).toBe(name);
  });
});
