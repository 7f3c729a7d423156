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

  it.each([
    "@scope/name@1.2.3",
    "docker:mcp/fetch",
    "npm:",
    "npm:../folder",
    "npm:github:owner/name",
    "npm:good@npm:evil@1.0.0",
    "npm:-c",
    "npm:https://registry.example/a.tgz",
    "pypi:./wheel.whl",
    "pypi:name --with other",
  ])("refuses %j", (text) => {
    expect(parsePrewarmSpec(text)).toMatchObject({ ok: false });
  });
});
