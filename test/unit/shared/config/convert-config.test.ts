import { describe, expect, it } from "vitest";
import { convertConfig } from "../../../../shared/config/convert-config.ts";
import { readConfig } from "../../../../shared/config/read-config.ts";

describe("convertConfig", () => {
  it("writes native YAML, fields at their default left out", () => {
    const text = JSON.stringify({
      mcpServers: {
        "my-server": {
          command: "npx",
          args: ["-y", "@scope/pkg@1.0.0"],
          env: { TOKEN: "${TOKEN}", FLAG: "yes" },
        },
        remote: { url: "https://mcp.example.com/sse", headers: { Authorization: "Bearer ${T}" } },
      },
    });
    expect(convertConfig({ text, path: ".mcp.json" }).yaml).toBe(`tools:
  - name: my_server
    description: MCP server my_server, from Claude Code
    type: mcp
    command: npx
    args:
      - -y
      - "@scope/pkg@1.0.0"
    env:
      TOKEN: \${TOKEN}
      FLAG: "yes"
  - name: remote
    description: MCP server remote, from Claude Code
    type: mcp
    transport: sse
    url: https://mcp.example.com/sse
    headers:
      Authorization: Bearer \${T}
`);
  });

  it("writes the global form on request", () => {
    const { yaml } = convertConfig(
      { value: { mcpServers: { a: { command: "uvx", args: ["pkg==1.0.0"] } } } },
      { form: "global" },
    );
    expect(readConfig({ text: yaml ?? "" }).findings).toEqual([]);
    expect(yaml).toMatch(/^version: "1.0"\nmcp_servers:/);
  });

  it("leaves broken servers out and names them", () => {
    const conversion = convertConfig({
      value: {
        mcpServers: { good: { command: "uvx", args: ["pkg==1.0.0"] }, bad: { command: "bash" } },
      },
    });
    expect(conversion.converted).toEqual(["good"]);
    expect(conversion.skipped).toEqual(["bad"]);
    expect(conversion.findings.map(({ id }) => id)).toContain("GW201");
  });

  it("writes nothing where nothing is usable", () => {
    expect(convertConfig({ text: "{", path: "mcp.json" }).yaml).toBeNull();
  });

  it("keeps texts that YAML could take for something else", () => {
    const env = {
      A: "no",
      B: "1e3",
      C: "0x1f",
      D: "- x",
      E: "a: b",
      F: "#x",
      G: "line\nbreak",
      H: "",
      I: "null",
      J: "2026-11-30",
      K: "'\"",
    };
    const { yaml } = convertConfig({
      value: { mcpServers: { a: { command: "uvx", args: ["pkg==1.0.0"], env } } },
    });
    expect(readConfig({ text: yaml ?? "" }).servers[0]?.config?.env).toEqual(env);
  });
});
