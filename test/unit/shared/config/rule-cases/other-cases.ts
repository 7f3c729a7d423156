import { stdio, type RuleCase } from "./rule-case.ts";

const entry = (name: string, more = "") =>
  `  - name: ${name}\n    type: mcp\n    description: d\n    command: npx\n    args: [-y, pkg@1.0.0]\n${more}`;
const registry = (name: string) => `    registry_name: ${name}\n`;

export const otherCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW501: [
    { fires: `tools:\n${entry("⟦a")}${entry("a")}`, misses: `tools:\n${entry("a")}${entry("b")}` },
    {
      fires: `tools:\n  - {name: a, type: function}\n${entry("⟦a")}`,
      misses: `tools:\n  - {name: b, type: function}\n${entry("a")}`,
    },
  ],
  GW502: {
    fires: `tools:\n${entry("a", registry("io.x/a"))}${entry("b", registry("⟦io.x/a"))}`,
    misses: `tools:\n${entry("a", registry("io.x/a"))}${entry("b", registry("io.x/b"))}`,
  },
  GW503: {
    fires: `tools:\n${entry("a")}${entry("⟦a", registry("io.x/a"))}`,
    misses: `tools:\n${entry("a")}${entry("b", registry("io.x/a"))}`,
  },
  GW504: {
    fires: `tools:\n${entry("a", registry("io.x/a"))}${entry("⟦a", registry("io.y/a"))}`,
    misses: `tools:\n${entry("a", registry("io.x/a"))}${entry("b", registry("io.y/a"))}`,
  },
  GW505: [
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a-b": {"command": "npx"}, ⟦"a_b": {"command": "npx"}}}',
      misses: '{"mcpServers": {"a-b": {"command": "npx"}, "a_c": {"command": "npx"}}}',
    },
    {
      path: ".vscode/mcp.json",
      fires: '{"servers": {}, "inputs": [{"id": "a-b"}, {"id": ⟦"a_b"}]}',
      misses: '{"servers": {}, "inputs": [{"id": "a-b"}, {"id": "a_c"}]}',
    },
  ],
  GW601: {
    fires: "tools:\n  - ⟦name: a\n    type: mcp\n    command: npx\n    args: [-y, pkg@1.0.0]\n",
    misses: stdio("env: {}"),
  },
};
