import { describe, expect, it } from "vitest";
import { mayMatchTemplate } from "../../../../shared/mcp/uri-template.ts";

describe("mayMatchTemplate", () => {
  it.each([
    ["file:///a", "file:///a", true],
    ["file:///ab", "file:///a", false],
    ["demo://text/1", "demo://text/{id}", true],
    ["demo://text/", "demo://text/{id}", true],
    ["demo://blob/1", "demo://text/{id}", false],
    ["repo://o/n/contents/a/b", "repo://{owner}/{repo}/contents{/path*}", true],
    ["repo://o/n/issues/1", "repo://{owner}/{repo}/contents{/path*}", false],
    ["db://t/1/rows", "db://{table}/{id}/rows", true],
    ["db://t/rows", "db://{table}/{id}/rows", false],
    ["a-b", "{x}-b", true],
    ["a-b-c", "{x}-b", false],
    ["aa", "a{x}aa", false],
    ["anything", "{+uri}", true],
    ["a{b", "a{b", true],
  ])("of %s and %s is %s", (uri, template, expected) => {
    expect(mayMatchTemplate(uri, template)).toBe(expected);
  });

  it("is linear in a template of many expressions", () => {
    const template = `${"{a}b".repeat(20_000)}c`;
    expect(mayMatchTemplate("b".repeat(100_000), template)).toBe(false);
  });
});
