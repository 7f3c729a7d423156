import { fileLimits } from "../../../../../shared/config/limits.ts";
import { launch, remote, stdio, type RuleCase } from "./rule-case.ts";

const entry = "type: mcp\n    description: d\n    command: npx\n    args: [-y, pkg@1.0.0]";

export const shapeCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW100: [
    { fires: "tools: [\n⟦", misses: "tools: []\n" },
    {
      path: "mcp.json",
      fires: '{"mcpServers": {"a": {"command": "npx" ⟦"args": []}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "args": []}}}',
    },
    {
      path: "config.toml",
      fires: "[mcp_servers.a]\ncommand = ⟦npx\n",
      misses: '[mcp_servers.a]\ncommand = "npx"\n',
    },
    { path: "mcp.json", fires: "{⟦'mcpServers': {}}", misses: '{"mcpServers": {}}' },
    // What breaks before a conflict marker is a trouble of its own; what follows one is not.
    {
      path: "mcp.json",
      fires: '{\n⟦x\n<<<<<<< HEAD\n"a": {},\n=======\n>>>>>>> main\n"b": {}}',
      misses: '{\n<<<<<<< HEAD\n"a": {},\n=======\n>>>>>>> main\n"b": {}}',
    },
  ],
  GW101: [
    { fires: "tools: []⟦\0\n", misses: "tools: []\n" },
    { fires: stdio('env: {A: ⟦"a\\0b"}'), misses: stdio('env: {A: "a\\tb"}') },
  ],
  GW102: [
    {
      fires: launch("npx", "[-y, pkg@1.0.0]", "⟦command: npx\n    description: d"),
      misses: launch("npx", "[-y, pkg@1.0.0]", "description: d"),
    },
    {
      path: "mcp.json",
      fires: '{"mcpServers": {"a": {"command": "npx", ⟦"command": "uvx"}}}',
      misses: '{"mcpServers": {"a": {"command": "npx"}}}',
    },
  ],
  GW103: {
    fires: "⟦<<<<<<< HEAD\ntools: []\n=======\ntools: [1]\n>>>>>>> main\n",
    misses: "tools: []\n",
  },
  GW104: [
    { fires: "tools: []\n⟦---\ntools: []\n", misses: "---\ntools: []\n" },
    {
      path: "mcp.json",
      fires: '{"mcpServers": {}}\n⟦{"mcpServers": {}}',
      misses: '{"mcpServers": {}}\n',
    },
  ],
  GW105: [
    {
      fires: `tools: ${"[".repeat(64)}⟦[${"]".repeat(65)}\n`,
      misses: `tools: []\nother: ${"[".repeat(60)}${"]".repeat(60)}\n`,
    },
    // Two marks of the lexer, `tools`, colon, blank, brackets, line end.
    {
      options: { limits: { ...fileLimits, maxTokens: 8 } },
      fires: "tools: []\n⟦\n",
      misses: "tools: []\n",
    },
    {
      path: ".mcp.json",
      options: { limits: { ...fileLimits, maxTokens: 5 } },
      fires: '{"mcpServers": {}⟦, "a": 1}',
      misses: '{"mcpServers": 1 } // }\n',
    },
    {
      path: "config.toml",
      options: { limits: { ...fileLimits, maxTokens: 4 } },
      fires: "a = 1\nb = 2\nc ⟦= 3\n",
      misses: "a = 1\nb = 2\n# c\n",
    },
  ],
  GW106: [
    { fires: "tools: []\nx: ⟦*nowhere\n", misses: "tools: []\ny: &nowhere 1\nx: *nowhere\n" },
    { fires: "tools: []\nx: &a [⟦*a]\n", misses: "tools: []\nx: &a [1]\ny: *a\n" },
  ],
  GW107: { fires: stdio("⟦__proto__: {}"), misses: stdio("config: {}") },
  GW108: { fires: "⟦\uFEFFtools: []\n", misses: "tools: []\n" },
  GW109: [
    { path: ".mcp.json", fires: '{⟦/* c */"mcpServers": {}}', misses: '{"mcpServers": {}}' },
    { path: ".mcp.json", fires: '{"mcpServers": {}⟦,}', misses: '{"mcpServers": {}}' },
    {
      path: ".gemini/settings.json",
      fires: '{"mcpServers": {}⟦,}',
      misses: '{"mcpServers": {} /* c */}',
    },
    { path: ".roo/mcp.json", fires: '{"mcpServers": {} ⟦// c\n}', misses: '{"mcpServers": {}}' },
  ],
  GW110: [
    { fires: "⟦hello: world\n", misses: "tools: []\n" },
    { fires: "⟦tool: []\n", misses: "tools: []\n" },
    { path: ".mcp.json", fires: '{⟦"mcpServer": {}}', misses: '{"mcpServers": {}}' },
    {
      path: "mcp.json",
      fires: '{"name": "x", "tools": ⟦[{"name": "run"}]}',
      misses: '{"name": "x", "tools": [{"name": "run", "type": "function"}]}',
    },
  ],
  GW111: { fires: "⟦tools: []\n", misses: stdio("env: {}") },
  GW112: [
    { fires: "tools: ⟦npx\n", misses: "tools: []\n" },
    {
      fires: "mcp_servers:\n  - ⟦npx\nversion: '1.0'\n",
      misses: `version: '1.0'\nmcp_servers:\n  - name: a\n    ${entry}\n`,
    },
    { path: ".mcp.json", fires: '{"mcpServers": ⟦[1]}', misses: '{"mcpServers": {}}' },
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a": ⟦"npx"}}',
      misses: '{"mcpServers": {"a": {"command": "npx"}}}',
    },
  ],
  GW113: { fires: stdio("⟦comand: npx"), misses: stdio("env: {}") },
  GW114: [
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a": {"command": "npx", ⟦"arg": []}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "args": []}}}',
    },
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a": {"command": "npx", ⟦"enabled": false}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "disabled": true}}}',
    },
  ],
  GW115: { fires: stdio("⟦defer_loading: true"), misses: stdio("load_tools: true") },
  GW116: {
    path: ".vscode/mcp.json",
    fires: '⟦{"mcpServers": {"a": {"command": "npx"}}}',
    misses: '{"servers": {"a": {"command": "npx"}}}',
  },
  GW117: [
    {
      fires: "tools: [] ⟦# gangway-ignore GW204\n",
      misses: "tools: [] # gangway-ignore GW204: a reason\n",
    },
    {
      fires: "tools: [] ⟦# gangway-ignore GW999: a reason\n",
      misses: "tools: [] # gangway-ignore GW204: a reason\n",
    },
    {
      fires: "tools: [] ⟦# gangway-ignore GW201: a reason\n",
      misses: "tools: [] # gangway-ignore GW205: a reason\n",
    },
  ],
  GW118: {
    options: { limits: { ...fileLimits, maxArgs: 2 } },
    fires: launch("npx", "⟦[-y, pkg@1.0.0, x]"),
    misses: launch("npx", "[-y, pkg@1.0.0]"),
  },
  GW119: {
    fires: `tools:\n  - name: one\n    type: mcp\n${Array.from({ length: 201 }, (_, index) => `    z${index}: 1\n`).join("")}`,
    misses: `tools:\n  - name: one\n    type: mcp\n${Array.from({ length: 190 }, (_, index) => `    z${index}: 1\n`).join("")}`,
  },
  GW120: [
    { fires: stdio("env: {PORT: ⟦8080}"), misses: stdio('env: {PORT: "8080"}') },
    { fires: stdio("config: ⟦[]"), misses: stdio("config: {}") },
    { fires: stdio('server: ⟦""'), misses: stdio("server: label") },
    { fires: launch("npx", "⟦-y pkg"), misses: launch("npx", "[-y, pkg@1.0.0]") },
    { fires: launch("npx", "[-y, pkg@1.0.0, ⟦1]"), misses: launch("npx", '[-y, pkg@1.0.0, "1"]') },
    { fires: launch("⟦[npx]", "[-y, pkg@1.0.0]"), misses: launch("npx", "[-y, pkg@1.0.0]") },
    { fires: stdio('request_timeout: ⟦"30"'), misses: stdio("request_timeout: 30") },
    { fires: stdio("request_timeout: ⟦1.5"), misses: stdio("request_timeout: 2") },
    { fires: stdio("load_tools: ⟦yes"), misses: stdio("load_tools: true") },
  ],
  GW121: {
    fires: "tools:\n  - ⟦type: mcp\n    command: npx\n    args: [-y, pkg@1.0.0]\n",
    misses: stdio("env: {}"),
  },
  GW122: [
    {
      fires: `tools:\n  - name: ⟦my-server\n    ${entry}\n`,
      misses: `tools:\n  - name: my_server\n    ${entry}\n`,
    },
    {
      fires: `tools:\n  - name: ⟦my__server\n    ${entry}\n`,
      misses: `tools:\n  - name: my_server\n    ${entry}\n`,
    },
    {
      fires: `tools:\n  - name: ⟦""\n    ${entry}\n`,
      misses: `tools:\n  - name: a\n    ${entry}\n`,
    },
  ],
  GW123: {
    path: ".mcp.json",
    fires: '{"mcpServers": {⟦"my-server": {"command": "npx"}}}',
    misses: '{"mcpServers": {"my_server": {"command": "npx"}}}',
  },
  GW124: [
    { fires: stdio("request_timeout: ⟦0"), misses: stdio("request_timeout: 1") },
    {
      fires: remote("https://a.example.com/mcp", "description: d\n    timeout: ⟦-1"),
      misses: remote("https://a.example.com/mcp", "description: d\n    timeout: 0.5"),
    },
  ],
  GW125: [
    { fires: stdio("transport: ⟦streamable-http"), misses: stdio("transport: stdio") },
    { fires: stdio("protocol: ⟦2025-11-25"), misses: stdio("protocol: legacy") },
    {
      fires: "tools:\n  - name: a\n    type: ⟦MCP\n    command: npx\n    args: [-y, pkg@1.0.0]\n",
      misses: stdio("env: {}"),
    },
  ],
  GW126: { fires: stdio("⟦headers: {a: b}"), misses: stdio("headers: {}") },
  GW127: [
    { fires: stdio("⟦url: https://a.example.com/mcp"), misses: stdio("env: {}") },
    {
      fires: remote("https://a.example.com/mcp", "⟦command: npx"),
      misses: remote("https://a.example.com/mcp"),
    },
  ],
  GW128: { fires: stdio("env_file: .env\n    ⟦envFile: .env"), misses: stdio("envFile: .env") },
  GW129: {
    fires: "tools:\n  - name: a\n    type: mcp\n    ⟦server: '@scope/pkg'\n",
    misses: "tools:\n  - name: a\n    type: mcp\n    server: '@scope/pkg'\n    command: npx\n",
  },
  GW131: {
    fires: `mcp_servers:\n  ⟦- name: a\n    ${entry}\n`,
    misses: `version: "1.0"\nmcp_servers:\n  - name: a\n    ${entry}\n`,
  },
  GW132: [
    {
      fires: `version: ⟦"2.0"\nmcp_servers:\n  - name: a\n    ${entry}\n`,
      misses: `version: "1.0"\nmcp_servers:\n  - name: a\n    ${entry}\n`,
    },
    {
      fires: `version: ⟦1.0\nmcp_servers:\n  - name: a\n    ${entry}\n`,
      misses: `version: "1.0"\nmcp_servers:\n  - name: a\n    ${entry}\n`,
    },
  ],
  GW133: {
    path: ".mcp.json",
    fires: '{"mcpServers": {"a": {⟦"url": "https://a.example.com/mcp"}}}',
    misses: '{"mcpServers": {"a": {"type": "http", "url": "https://a.example.com/mcp"}}}',
  },
  GW134: [
    {
      fires: "tools:\n  - ⟦name: a\n    type: mcp\n    transport: sse\n",
      misses: remote("https://a.example.com/mcp"),
    },
    {
      fires: "tools:\n  - ⟦name: a\n    type: mcp\n    transport: stdio\n",
      misses: stdio("transport: stdio"),
    },
    {
      fires: "tools:\n  - ⟦name: a\n    type: mcp\n    url: https://a.example.com/mcp\n",
      misses: remote("https://a.example.com/mcp"),
    },
  ],
  GW135: { fires: stdio("⟦disabled: true"), misses: stdio("disabled: false") },
  GW136: [
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {⟦"_comment": "text"}}',
      misses: '{"mcpServers": {}}',
    },
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {⟦"//off": {"command": "npx"}}}',
      misses: '{"mcpServers": {"off": {"command": "npx"}}}',
    },
  ],
  GW137: [
    {
      path: ".roo/mcp.json",
      fires: '{"mcpServers": {"a": {⟦"url": "https://a.example.com/mcp"}}}',
      misses: '{"mcpServers": {"a": {"type": "sse", "url": "https://a.example.com/mcp"}}}',
    },
    {
      path: "claude_desktop_config.json",
      fires: '{"mcpServers": {"a": {⟦"url": "https://a.example.com/mcp"}}}',
      misses: '{"mcpServers": {"a": {"command": "npx"}}}',
    },
  ],
  GW138: { fires: stdio("encoding: ⟦klingon-8"), misses: stdio("encoding: latin_1") },
  GW139: [
    {
      fires: stdio(`config: {a: ⟦${"x".repeat(65_537)}}`),
      misses: stdio(`config: {a: ${"x".repeat(65_536)}}`),
    },
    {
      path: ".mcp.json",
      fires: `{"mcpServers": {"a": {"command": "npx", "env": {⟦"${"K".repeat(1025)}": "x"}}}}`,
      misses: `{"mcpServers": {"a": {"command": "npx", "env": {"${"K".repeat(1024)}": "x"}}}}`,
    },
  ],
  GW142: { fires: stdio("config: {a: !!binary ⟦aGk=}"), misses: stdio("config: {a: !!str aGk=}") },
  GW143: [
    {
      fires: "tools:\n  - name: a\n    type: mcp\n    description: ⟦a \u202Eb\n    command: npx\n",
      // A mark of right-to-left scripts reorders nothing.
      misses: "tools:\n  - name: a\n    type: mcp\n    description: a \u200Fb\n    command: npx\n",
    },
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {⟦"a\u2066b": {"command": "npx"}}}',
      misses: '{"mcpServers": {"a\u2065b": {"command": "npx"}}}',
    },
    { fires: stdio("env: {A: ⟦\u202Dx}"), misses: stdio("env: {A: \u202Fx}") },
    { fires: stdio("env: {⟦A\u2069: x}"), misses: stdio("env: {A\u206A: x}") },
  ],
};
