import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../shared/config/read-config.ts";

const head = "tools:\n  - name: a\n    type: mcp\n    description: d\n    command: npx\n";

function ids(text: string, path = "agent.yaml"): string[] {
  return readConfig({ text, path }).findings.map(({ id }) => id);
}

describe("inline ignores", () => {
  it("silence a rule on their own line and on the line below", () => {
    expect(ids(`${head}    args: [-y, pkg] # gangway-ignore GW204: vendored\n`)).toEqual([]);
    expect(
      ids(
        `${head}    # gangway-ignore GW204: vendored\n    # another note\n\n    args: [-y, pkg]\n`,
      ),
    ).toEqual([]);
  });

  it("silence several rules", () => {
    expect(ids(`${head}    args: [pkg] # gangway-ignore GW204, GW205: vendored\n`)).toEqual([]);
  });

  it("reach one line only", () => {
    expect(
      ids(`${head}    # gangway-ignore GW204: vendored\n    env: {}\n    args: [-y, pkg]\n`),
    ).toEqual(["GW204"]);
  });

  it("work in JSON with comments and in TOML", () => {
    const json =
      '{"servers": {"a": {"command": "npx",\n // gangway-ignore GW204: vendored\n "args": ["-y", "pkg"]}}}';
    expect(ids(json, ".vscode/mcp.json")).toEqual([]);
    const block =
      '{"servers": {"a": {"command": "npx", "args": ["-y", "pkg"] /* gangway-ignore GW204: vendored */}}}';
    expect(ids(block, ".vscode/mcp.json")).toEqual([]);
    const toml =
      '[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "pkg"] # gangway-ignore GW204: vendored\n';
    expect(ids(toml, ".codex/config.toml")).toEqual([]);
  });

  it("do not work inside a text", () => {
    expect(
      ids(
        `${head.replace("description: d", 'description: "# gangway-ignore GW204: x"')}    args: [-y, pkg]\n`,
      ),
    ).toEqual(["GW204"]);
  });

  it("need a reason, a known rule, and one that may be ignored", () => {
    expect(ids(`${head}    args: [-y, pkg] # gangway-ignore GW204\n`)).toEqual(["GW204", "GW117"]);
    expect(ids(`${head}    args: [-y, pkg] # gangway-ignore: why\n`)).toEqual(["GW204", "GW117"]);
    expect(ids(`${head}    args: [-c, id] # gangway-ignore GW203: why\n`)).toEqual([
      "GW203",
      "GW117",
    ]);
  });

  it("are told apart in the reading, and can be switched off", () => {
    const text = `${head}    args: [-y, pkg] # gangway-ignore GW204: vendored\n`;
    expect(readConfig({ text }).suppressed.map(({ id }) => id)).toEqual(["GW204"]);
    expect(readConfig({ text }, { inlineIgnores: false }).findings.map(({ id }) => id)).toEqual([
      "GW204",
    ]);
  });
});
