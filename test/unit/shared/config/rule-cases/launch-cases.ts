import { launch, stdio, type RuleCase } from "./rule-case.ts";

const pinned = "[-y, pkg@1.0.0]";

export const launchCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW201: { fires: launch("⟦node", "[server.js]"), misses: launch("npx", pinned) },
  GW202: [
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a": {"command": ⟦"cmd", "args": ["/c", "npx", "-y", "pkg@1.0.0"]}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "pkg@1.0.0"]}}}',
    },
    {
      path: ".mcp.json",
      fires: '{"mcpServers": {"a": {"command": ⟦"/usr/bin/npx", "args": ["-y", "pkg@1.0.0"]}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "args": ["-y", "pkg@1.0.0"]}}}',
    },
  ],
  GW203: [
    { fires: launch("npx", '[⟦-c, "id"]'), misses: launch("npx", pinned) },
    {
      fires: launch("npx", "[-y, ⟦good@npm:evil@1.0.0]"),
      misses: launch("npx", "[-y, good@1.0.0]"),
    },
    { fires: launch("npx", "[-y, ⟦./local]"), misses: launch("npx", pinned) },
    {
      fires: launch("uvx", "[⟦--index-url, https://x.example.com, pkg==1.0.0]"),
      misses: launch("uvx", "[pkg==1.0.0]"),
    },
    {
      fires: launch("docker", "[⟦exec, x]"),
      misses: launch("docker", `[run, -i, --rm, "a/b@sha256:${"a".repeat(64)}"]`),
    },
    {
      fires: launch("docker", "[run, -i, --rm, ⟦--privileged, a/b]"),
      misses: launch("docker", "[run, -i, --rm, a/b]"),
    },
    {
      fires: `tools:\n  - name: a\n    type: mcp\n    description: d\n    command: ⟦docker\n`,
      misses: launch("docker", "[run, -i, --rm, a/b]"),
    },
  ],
  GW204: [
    { fires: launch("npx", "[-y, ⟦pkg]"), misses: launch("npx", pinned) },
    { fires: launch("npx", "[-y, ⟦pkg@latest]"), misses: launch("npx", pinned) },
    { fires: launch("uvx", "[⟦pkg]"), misses: launch("uvx", "[pkg==1.0.0]") },
    {
      fires: launch("docker", "[run, -i, --rm, ⟦a/b:latest]"),
      misses: launch("docker", `[run, -i, --rm, "a/b@sha256:${"a".repeat(64)}"]`),
    },
  ],
  GW205: { fires: launch("npx", "[⟦pkg@1.0.0]"), misses: launch("npx", pinned) },
  GW206: {
    fires: launch("docker", "[⟦run, --rm, a/b]"),
    misses: launch("docker", "[run, -i, --rm, a/b]"),
  },
  GW207: {
    fires: launch("docker", "[⟦run, -i, a/b]"),
    misses: launch("docker", "[run, -i, --rm, a/b]"),
  },
  GW208: {
    fires: launch("npx", "[-y, -p, pkg@1.0.0, ⟦sh, -c, id]"),
    misses: launch("npx", "[-y, -p, pkg@1.0.0, pkg-bin]"),
  },
  GW209: [
    {
      fires: stdio("env: {⟦NODE_OPTIONS: --require x}"),
      misses: stdio("env: {NODE_ENV: production}"),
    },
    {
      fires: stdio("env: {⟦Npm_Config_Registry: https://x.example.com}"),
      misses: stdio("env: {REGION: x}"),
    },
  ],
  GW220: [
    {
      fires: launch("docker", "[run, -i, --rm, ⟦--name, x, a/b]"),
      misses: launch("docker", "[run, -i, --rm, a/b, --name, x]"),
    },
    {
      fires: launch("docker", "[run, -i, --rm, ⟦--network=bridge, a/b]"),
      misses: launch("docker", "[run, -i, --rm, a/b, --network=bridge]"),
    },
    {
      fires: launch("uvx", "[⟦--python, '3.13', pkg==1.0.0]"),
      misses: launch("uvx", "[pkg==1.0.0, --python, '3.13']"),
    },
  ],
  GW210: { fires: stdio("server: ⟦./server.js"), misses: stdio("server: server") },
  GW211: {
    fires: launch("docker", "[⟦run, -i, --rm, -e, TOKEN, a/b]"),
    misses: launch(
      "docker",
      "[run, -i, --rm, -e, TOKEN, a/b]",
      "description: d\n    env: {TOKEN: '${TOKEN}'}",
    ),
  },
  GW212: {
    options: { launchers: ["npx"] },
    fires: launch("⟦uvx", "[pkg==1.0.0]"),
    misses: launch("npx", pinned),
  },
  GW213: {
    fires: launch("npx", "[-y, ⟦mcp-remote@0.1.30, https://a.example.com/mcp]"),
    misses: launch("npx", "[-y, mcp-local@0.1.30]"),
  },
  GW214: {
    path: ".vscode/mcp.json",
    fires: '{"servers": {"a": {"command": "npx", "args": ["-y", "pkg@1.0.0"], ⟦"cwd": "/x"}}}',
    misses: '{"servers": {"a": {"command": "npx", "args": ["-y", "pkg@1.0.0"]}}}',
  },
  GW216: [
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦/Users/kim/Documents]"),
      misses: launch("npx", "[-y, pkg@1.0.0, /data/Documents]"),
    },
    {
      fires: launch("uvx", "[pkg==1.0.0, ⟦--root=/home/kim/src]"),
      misses: launch("uvx", "[pkg==1.0.0, --root=./src]"),
    },
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦'D:\\notes']"),
      misses: launch("npx", "[-y, pkg@1.0.0, 'd://notes']"),
    },
    { fires: stdio("env: {BASE: ⟦~/Desktop}"), misses: stdio("env: {BASE: ~kim}") },
    {
      fires: launch("docker", "[run, -i, --rm, a/b, ⟦/Users/kim]"),
      misses: launch("docker", "[run, -i, --rm, a/b, /home/node/app]"),
    },
    // A refused launch is judged no further.
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦/Users/kim/server.js]"),
      misses: launch("node", "[/Users/kim/server.js]"),
    },
  ],
  GW217: [
    {
      fires: launch(
        "docker",
        "[run, -i, --rm, a/b]",
        "description: d\n    env: {⟦TOKEN: '${TOKEN}'}",
      ),
      misses: launch(
        "docker",
        "[run, -i, --rm, -e, TOKEN, a/b]",
        "description: d\n    env: {TOKEN: '${TOKEN}'}",
      ),
    },
    {
      fires: launch("docker", "[run, -i, --rm, a/b, -e, TOKEN]", "env: {⟦TOKEN: x}"),
      misses: launch("docker", "[run, -i, --rm, -e, TOKEN=y, a/b]", "env: {TOKEN: x}"),
    },
    {
      fires: launch("docker", "[run, a/b]", "env: {⟦A: x}"),
      misses: launch("uvx", "[a]", "env: {A: x}"),
    },
  ],
  GW215: [
    { fires: stdio("env_file: ⟦../.env"), misses: stdio("env_file: config/.env") },
    { fires: stdio("env_file: ⟦/etc/passwd"), misses: stdio("env_file: ./.env") },
  ],
};
