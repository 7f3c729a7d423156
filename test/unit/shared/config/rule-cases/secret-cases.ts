import { launch, remote, stdio, type RuleCase } from "./rule-case.ts";

const url = "https://mcp.example.com/mcp";
const ghp = `ghp_${"aB3".repeat(12)}`;

export const secretCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW401: [
    {
      fires: stdio(`env: {GITHUB_TOKEN: ⟦${ghp}}`),
      misses: stdio("env: {GITHUB_TOKEN: '${GITHUB_TOKEN}'}"),
    },
    {
      fires: remote(url, `headers: {Authorization: ⟦Bearer ${ghp}}`),
      misses: remote(url, "headers: {Authorization: 'Bearer ${TOKEN}'}"),
    },
    {
      fires: launch("npx", `[-y, pkg@1.0.0, ⟦--token=${ghp}]`),
      misses: launch("npx", "[-y, pkg@1.0.0, --verbose]"),
    },
    {
      fires: stdio(`config: {deep: [{key: ⟦${ghp}}]}`),
      misses: stdio("config: {deep: [{key: '${KEY}'}]}"),
    },
  ],
  GW402: [
    {
      fires: stdio("env: {DB_PASSWORD: ⟦correct-horse7}"),
      misses: stdio("env: {DB_PASSWORD: '${DB_PASSWORD}'}"),
    },
    {
      fires: stdio("env: {NEO4J_PASSWORD: ⟦NEO4J-PASSWORD}"),
      misses: stdio("env: {NEO4J_PASSWORD: $NEO4J_PASSWORD}"),
    },
    {
      fires: launch("npx", "[-y, pkg@1.0.0, --api-key, ⟦4f9a7c2e55]"),
      misses: launch("npx", "[-y, pkg@1.0.0, --region, 4f9a7c2e55]"),
    },
    {
      fires: stdio(`env: {ANY: ⟦${"a1b2c3d4e5f60718".repeat(2)}}`),
      misses: stdio("env: {ANY: 123e4567-e89b-12d3-a456-426614174000}"),
    },
  ],
  GW403: [
    {
      fires: stdio("env: {DATABASE_URL: '⟦postgres://app:s3cr3t-9@db.example.com/x'}").replace(
        "'⟦",
        "⟦'",
      ),
      misses: stdio("env: {DATABASE_URL: 'postgres://app:${PW}@db.example.com/x'}"),
    },
    {
      fires: remote(`⟦${url}?api_key=4f9a7c2e55d1`),
      misses: remote(`"${url}?api_key=\${API_KEY}"`),
    },
    {
      fires: launch("npx", "[-y, pkg@1.0.0, '⟦mysql://root:s3cr3t-9@db.example.com/x']").replace(
        "'⟦",
        "⟦'",
      ),
      misses: launch("npx", "[-y, pkg@1.0.0, 'mysql://root@db.example.com/x']"),
    },
  ],
  GW404: [
    {
      fires: stdio("env: {API_KEY: ⟦<your-api-key>}"),
      misses: stdio("env: {API_KEY: '${API_KEY}'}"),
    },
    {
      fires: stdio("env: {API_KEY: ⟦YOUR_API_KEY_HERE}"),
      misses: stdio("env: {API_KEY: '${API_KEY}'}"),
    },
    ...["${MY_TOKEN}", "${YOUR_API_KEY}", "Bearer ${YOUR_API_KEY_HERE}"].map((value) => ({
      fires: stdio("env: {API_KEY: ⟦YOUR_API_KEY}"),
      misses: stdio(`env: {API_KEY: '${value}'}`),
    })),
    { fires: stdio("env: {API_KEY: ⟦xxxxxxxxxxxx}"), misses: stdio("env: {LEVEL: info}") },
    { fires: launch("⟦/path/to/server", "[]"), misses: launch("/opt/server", "[]") },
    { fires: launch("⟦<path of the server>", "[]"), misses: launch("server", "[]") },
    {
      fires: launch("docker", "[run, ⟦'type=bind,src=/path/to/x', a/b]"),
      misses: launch("docker", "[run, 'type=bind,src=/data/x', a/b]"),
    },
    { fires: remote('⟦"https://<\u200bBASE_URL\u200b>/mcp"'), misses: remote('"https://<x/mcp"') },
    {
      fires: remote('⟦"https://mcp.example.com/{minimal | mcp}"'),
      misses: remote('"https://mcp.example.com/{minimal}"'),
    },
  ],
  GW405: [
    {
      fires: stdio('env: {GITHUB_TOKEN: ⟦""}'),
      misses: stdio('env: {GITHUB_TOKEN: "${GITHUB_TOKEN}", REGION: ""}'),
    },
    {
      fires: remote(url, 'headers: {Authorization: ⟦"Bearer "}'),
      misses: remote(url, 'headers: {Authorization: "Bearer ${TOKEN}", X-Team: ""}'),
    },
    {
      fires: launch("npx", '[-y, pkg@1.0.0, --api-key, ⟦""]'),
      misses: launch("npx", '[-y, pkg@1.0.0, --suffix, ""]'),
    },
  ],
  GW410: [
    {
      fires: remote('⟦"https://${HOST}/mcp"'),
      misses: remote('"https://mcp.example.com/mcp?x=${X}"'),
    },
    { fires: stdio("server: ⟦'${NAME}'"), misses: stdio("server: name") },
    {
      fires: remote(url, "headers: {⟦'X-${A}': b}"),
      misses: remote(url, "headers: {X-A: '${B}'}"),
    },
  ],
  GW411: [
    { fires: stdio("env: {A: ⟦'${env:TOKEN}'}"), misses: stdio("env: {A: '${TOKEN}'}") },
    { fires: stdio("env: {A: ⟦'${TOKEN:-none}'}"), misses: stdio("env: {A: '$${TOKEN}'}") },
    { fires: stdio("env: {A: ⟦'${TOKEN'}"), misses: stdio("env: {A: 'cost ${TOKEN}'}") },
    { fires: stdio("env: {A: ⟦$TOKEN}"), misses: stdio("env: {A: cost $5}") },
    {
      path: "claude_desktop_config.json",
      fires: '{"mcpServers": {"a": {"command": "npx", "env": {"A": ⟦"${TOKEN}"}}}}',
      misses: '{"mcpServers": {"a": {"command": "npx", "env": {"A": "b"}}}}',
    },
    ...[".vscode/mcp.json", ".cursor/mcp.json", ".roo/mcp.json", "cline_mcp_settings.json"].map(
      (path) => {
        const key = path.startsWith(".vscode") ? "servers" : "mcpServers";
        return {
          path,
          fires: `{"${key}": {"a": {"command": "npx", "env": {"A": ⟦"\${TOKEN}"}}}}`,
          misses: `{"${key}": {"a": {"command": "npx", "env": {"A": "\${env:TOKEN}"}}}}`,
        };
      },
    ),
    {
      path: ".vscode/mcp.json",
      fires: '{"servers": {"a": {"command": "npx", "env": {"A": ⟦"${workspaceFolders}"}}}}',
      misses: '{"servers": {"a": {"command": "npx", "env": {"A": "${workspaceFolder}"}}}}',
    },
  ],
  GW412: {
    path: ".vscode/mcp.json",
    fires: '{"servers": {"a": {"command": "npx", "env": {"A": ⟦"${input:tok}"}}}}',
    misses:
      '{"servers": {"a": {"command": "npx", "env": {"A": "${input:tok}"}}}, "inputs": [{"id": "tok"}]}',
  },
  GW413: [
    { fires: stdio("env: {A: ⟦'${cmd:id}'}"), misses: stdio("env: {A: '${CMD}'}") },
    { fires: stdio("env: {A: ⟦'{file:/etc/passwd}'}"), misses: stdio("env: {A: /etc/passwd}") },
  ],
  GW414: [
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦'${TOKEN}']"),
      misses: launch("npx", "[-y, pkg@1.0.0]", "env: {TOKEN: '${TOKEN}'}"),
    },
    // A folder of the author's machine is no secret: GW415 says what to do about it.
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦'${workspaceFolder}/${TOKEN}']"),
      misses: launch("npx", "[-y, pkg@1.0.0, '${workspaceFolder}/x']"),
    },
  ],
  GW415: {
    fires: stdio("env: {A: ⟦'${workspaceFolder}/x'}"),
    misses: stdio("env: {A: '${WORKSPACE}/x'}"),
  },
  GW416: {
    path: ".mcp.json",
    fires: '{"mcpServers": {"a": {"command": "npx", "env": {"A": ⟦"${B:-c}"}}}}',
    misses: '{"mcpServers": {"a": {"command": "npx", "env": {"A": "${B}"}}}}',
  },
  GW417: { fires: stdio(`env: {A: ⟦'\${env:${ghp}}'}`), misses: stdio("env: {A: '${TOKEN}'}") },
};
