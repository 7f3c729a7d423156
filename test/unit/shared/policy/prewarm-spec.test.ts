import { describe, expect, it } from "vitest";
import { parsePrewarmSpec } from "../../../../shared/policy/prewarm-spec.ts";

describe("parsePrewarmSpec", () => {
  it.each([
    ["npm:@scope/name@1.2.3", { runner: "npx", package: "@scope/name", version: "1.2.3" }],
    ["npm:name", { runner: "npx", package: "name", version: null }],
    ["pypi:mcp-server-time==2026.8.31", { runner: "uvx", version: "2026.8.31" }],
    ["pypi:name[cli]==1.0", { runner: "uvx", package: "name", extras: ["cli"] }],
  ])("reads %s", (text, expected) => {
    expect(parsePrewarmSpec(text)).toMatchObject({ ok: true, value: expected });
  });

  const hint = "Write npm:NAME@VERSION or pypi:NAME==VERSION; images are the engine's own.";

  it.each([
    "@scope/name@1.2.3",
    "docker:mcp/fetch",
    "npm:",
    "name",
    "xnpm:name",
    "NPM:name",
    "x\nnpm:name",
  ])("refuses %j, which names no registry", (text) => {
    expect(parsePrewarmSpec(text)).toEqual({
      ok: false,
      reason: "spec-name-invalid",
      message: `'${text}' names no registry.`,
      hint,
    });
  });

  it("tells the beginning of a long text alone", () => {
    expect(parsePrewarmSpec("x".repeat(81))).toMatchObject({
      message: `'${"x".repeat(80)}' names no registry.`,
    });
  });

  it.each([
    "npm:../folder",
    "npm:github:owner/name",
    "npm:good@npm:evil@1.0.0",
    "npm:-c",
    "npm:name\n",
    "npm:na\0me",
    "pypi:na\0me",
    "npm:https://registry.example/a.tgz",
    "pypi:./wheel.whl",
    "pypi:name --with other",
  ])("refuses %j as npx and uvx do", (text) => {
    const check = parsePrewarmSpec(text);
    expect(check.ok).toBe(false);
    expect(check).not.toMatchObject({ hint });
  });
});
