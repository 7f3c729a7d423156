import { describe, expect, it } from "vitest";
import { dialects } from "../../../../shared/config/dialects/table.ts";
import { readConfig, type ConfigReading } from "../../../../shared/config/read-config.ts";

interface DialectCase {
  readonly dialect: string;
  readonly path?: string;
  readonly text: string;
  /** Parts of the servers' native configs, in order; null = unusable. */
  readonly servers: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly ids: readonly string[];
}

const url = "https://mcp.example.com/mcp";
const json = (value: unknown) => JSON.stringify(value);

const cases: readonly DialectCase[] = [
  {
    dialect: "vscode",
    path: ".vscode/mcp.json",
    text: json({
      inputs: [{ id: "github-pat", type: "promptString" }],
      servers: {
        gh: { type: "http", url, headers: { Authorization: "Bearer ${input:github-pat}" } },
        local: {
          type: "stdio",
          command: "npx",
          args: ["-y", "pkg@1.0.0"],
          env: { PORT: 80, ON: true, OFF: null, KEY: "${env:KEY}" },
          envFile: ".env",
        },
      },
    }),
    servers: [
      {
        name: "gh",
        transport: "http",
        headers: { Authorization: "Bearer ${github_pat}" },
        inputs: ["github_pat"],
      },
      {
        name: "local",
        command: "npx",
        env: { PORT: "80", ON: "true", KEY: "${KEY}" },
        env_file: ".env",
      },
    ],
    ids: ["GW123"],
  },
  {
    dialect: "vscode",
    path: ".vscode/settings.json",
    text: json({ "editor.tabSize": 2, mcp: { servers: { a: { url } } } }),
    servers: [{ transport: "http" }],
    ids: ["GW133"],
  },
  {
    dialect: "vscode",
    text: json({ servers: { a: { type: "http", url, requestInit: { headers: { A: "b" } } } } }),
    servers: [{ headers: { A: "b" } }],
    ids: [],
  },
  {
    dialect: "claude-desktop",
    path: "claude_desktop_config.json",
    text: json({
      mcpServers: { a: { command: "/opt/homebrew/bin/npx", args: ["-y", "pkg@1.0.0"] } },
    }),
    servers: [{ command: "npx", args: ["-y", "pkg@1.0.0"] }],
    ids: ["GW202"],
  },
  {
    dialect: "claude-code",
    path: ".mcp.json",
    text: json({
      mcpServers: {
        a: { type: "http", url: "${BASE:-https://mcp.example.com}/mcp" },
        b: { type: "sse", url: "https://mcp.example.com/sse" },
      },
    }),
    servers: [{ url, transport: "http" }, { transport: "sse" }],
    ids: ["GW416"],
  },
  {
    dialect: "bare-map",
    path: ".mcp.json",
    text: json({ a: { command: "npx", args: ["-y", "pkg@1.0.0"] } }),
    servers: [{ name: "a" }],
    ids: [],
  },
  {
    dialect: "cursor",
    path: "/home/u/.cursor/mcp.json",
    text: json({ mcpServers: { a: { url, headers: { K: "${env:K}" } } } }),
    servers: [{ transport: "http", headers: { K: "${K}" } }],
    ids: ["GW133"],
  },
  {
    dialect: "windsurf",
    path: ".codeium/windsurf/mcp_config.json",
    text: json({
      mcpServers: { a: { serverUrl: "https://mcp.example.com/sse", disabledTools: ["x"] } },
    }),
    servers: [{ transport: "sse", disabled_tools: ["x"] }],
    ids: ["GW133"],
  },
  {
    dialect: "antigravity",
    path: ".gemini/antigravity/mcp_config.json",
    text: json({ mcpServers: { a: { serverUrl: url } } }),
    servers: [{ transport: "http", url }],
    ids: ["GW133"],
  },
  {
    dialect: "gemini-cli",
    path: ".gemini/settings.json",
    text: json({
      theme: "x",
      mcpServers: {
        a: { httpUrl: url, timeout: 1500, trust: true },
        b: { url: "https://mcp.example.com/events", excludeTools: ["x"] },
        c: { command: "npx", args: ["-y", "pkg@1.0.0"], env: { K: "$KEY" } },
      },
    }),
    servers: [
      { transport: "http", url, request_timeout: 2 },
      { transport: "sse", disabled_tools: ["x"] },
      { env: { K: "${KEY}" } },
    ],
    ids: ["GW133"],
  },
  {
    dialect: "gemini-cli",
    text: json({ mcpServers: { a: { httpUrl: url } } }),
    servers: [{ transport: "http" }],
    ids: [],
  },
  {
    dialect: "cline",
    path: "cline_mcp_settings.json",
    text: json({
      mcpServers: {
        a: { url, timeout: 90, autoApprove: [] },
        b: { type: "streamableHttp", url },
        c: { transportType: "http", url, disabled: true },
      },
    }),
    servers: [
      { transport: "sse", request_timeout: 90 },
      { transport: "http" },
      { transport: "http", disabled: true },
    ],
    ids: ["GW133", "GW135"],
  },
  {
    dialect: "roo",
    path: ".roo/mcp.json",
    text: json({
      mcpServers: { a: { type: "streamable-http", url, alwaysAllow: ["x"], disabledTools: ["y"] } },
    }),
    servers: [{ transport: "http", disabled_tools: ["y"] }],
    ids: [],
  },
  {
    dialect: "kiro",
    path: ".kiro/settings/mcp.json",
    text: json({
      mcpServers: { a: { command: "uvx", args: ["pkg==1.0.0"], disabled: true, autoApprove: [] } },
    }),
    servers: [{ command: "uvx", disabled: true }],
    ids: ["GW135"],
  },
  {
    dialect: "copilot",
    path: ".copilot/mcp-config.json",
    text: json({
      mcpServers: {
        a: { type: "local", command: "npx", args: ["-y", "pkg@1.0.0"], tools: ["*"] },
        b: { type: "http", url, tools: ["x"], headers: { K: "$KEY" } },
      },
    }),
    servers: [{ transport: "stdio" }, { allowed_tools: ["x"], headers: { K: "${KEY}" } }],
    ids: [],
  },
  {
    dialect: "mcp-servers",
    path: "mcp.json",
    text: json({
      mcpServers: { a: { command: "npx", args: ["-y", "pkg@1.0.0"], enabled: false } },
    }),
    servers: [{ disabled: true }],
    ids: ["GW135"],
  },
  {
    dialect: "zed",
    path: ".zed/settings.json",
    text: '{\n  // comment\n  "context_servers": {"a": {"command": {"path": "npx", "args": ["-y", "pkg@1.0.0"], "env": {"A": "b"}}}, "ext": {"settings": {}}, "r": {"url": "https://mcp.example.com/mcp"},},\n}',
    servers: [
      { name: "a", command: "npx", env: { A: "b" } },
      { name: "r", transport: "http" },
    ],
    ids: ["GW136", "GW133"],
  },
  {
    dialect: "opencode",
    path: "opencode.json",
    text: json({
      $schema: "x",
      mcp: {
        a: {
          type: "local",
          command: ["npx", "-y", "pkg@1.0.0"],
          environment: { K: "{env:KEY}" },
          enabled: false,
        },
        b: { type: "remote", url, enabled: true },
      },
    }),
    servers: [
      { command: "npx", args: ["-y", "pkg@1.0.0"], env: { K: "${KEY}" }, disabled: true },
      { transport: "http" },
    ],
    ids: ["GW135", "GW133"],
  },
  {
    dialect: "kilo",
    path: "kilo.jsonc",
    text: json({ mcp: { a: { type: "local", command: ["uvx", "pkg==1.0.0"] } } }),
    servers: [{ command: "uvx", args: ["pkg==1.0.0"] }],
    ids: [],
  },
  {
    dialect: "crush",
    path: "crush.json",
    text: json({
      mcp: { a: { type: "stdio", command: "npx", args: ["-y", "pkg@1.0.0"], env: { K: "$KEY" } } },
    }),
    servers: [{ env: { K: "${KEY}" } }],
    ids: [],
  },
  {
    dialect: "codex",
    path: ".codex/config.toml",
    text: `model = "x"\n[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "pkg@1.0.0"]\nenv_vars = ["KEY", { name = "OTHER", source = "local" }]\nstartup_timeout_sec = 20\ntool_timeout_sec = 45.5\n[mcp_servers.a.env]\nFIXED = "1"\n[mcp_servers.b]\nurl = "${url}"\nbearer_token_env_var = "TOKEN"\nhttp_headers = { A = "b" }\nenv_http_headers = { C = "D" }\nenabled = false\n`,
    servers: [
      { env: { FIXED: "1", KEY: "${KEY}", OTHER: "${OTHER}" }, request_timeout: 46 },
      {
        transport: "http",
        headers: { A: "b", C: "${D}", Authorization: "Bearer ${TOKEN}" },
        disabled: true,
      },
    ],
    ids: ["GW133", "GW135"],
  },
  {
    dialect: "codex",
    text: '[mcp_servers."my server"]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "pkg@1.0.0",\n]\n',
    servers: [{ name: "my_server", args: ["-y", "pkg@1.0.0"] }],
    ids: ["GW123"],
  },
  {
    dialect: "hermes",
    path: ".hermes/config.yaml",
    text: `mcp_servers:\n  a:\n    url: ${url}\n    headers: {K: '\${KEY}'}\n`,
    servers: [{ transport: "http", headers: { K: "${KEY}" } }],
    ids: ["GW133"],
  },
  {
    dialect: "librechat",
    path: "librechat.yaml",
    text: `version: 1.2.1\ninterface: {}\nmcpServers:\n  My Server:\n    type: streamable-http\n    url: ${url}\n    timeout: 60000\n    headers:\n      Authorization: Bearer {{TOKEN}}\n    customUserVars:\n      TOKEN: {title: t, description: d}\n`,
    servers: [
      {
        name: "My_Server",
        transport: "http",
        request_timeout: 60,
        headers: { Authorization: "Bearer ${TOKEN}" },
        inputs: ["TOKEN"],
      },
    ],
    ids: ["GW123"],
  },
  {
    dialect: "continue",
    text: `name: x\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: a\n    command: npx\n    args: [-y, pkg@1.0.0]\n    env: {K: "\${{ secrets.KEY }}"}\n  - name: b\n    type: streamable-http\n    url: ${url}\n    requestOptions: {headers: {A: b}}\n`,
    servers: [
      { name: "a", env: { K: "${KEY}" } },
      { name: "b", transport: "http", headers: { A: "b" } },
    ],
    ids: [],
  },
  {
    dialect: "goose",
    text: `extensions:\n  dev: {type: builtin, name: developer, enabled: true}\n  a:\n    type: stdio\n    cmd: npx\n    args: [-y, pkg@1.0.0]\n    envs: {A: b}\n    env_keys: [KEY]\n    timeout: 300\n    enabled: false\n    available_tools: []\n  b: {type: streamable_http, uri: "${url}", enabled: true}\n`,
    servers: [
      { name: "a", env: { A: "b", KEY: "${KEY}" }, request_timeout: 300, disabled: true },
      { name: "b", transport: "http" },
    ],
    ids: ["GW136", "GW135"],
  },
  {
    dialect: "native",
    text: json({ name: "a", type: "mcp", description: "d", command: "uvx", args: ["pkg==1.0.0"] }),
    servers: [{ command: "uvx" }],
    ids: [],
  },
];

function read({ text, path }: DialectCase): ConfigReading {
  return readConfig({ text, ...(path === undefined ? {} : { path }) });
}

describe("dialects", () => {
  it.each(cases)("reads $dialect ($path)", (one) => {
    const reading = read(one);
    expect(reading.dialect).toBe(one.dialect);
    expect(reading.servers.map(({ config }) => config)).toMatchObject(one.servers);
    expect(reading.findings.map(({ id }) => id).sort()).toEqual([...one.ids].sort());
  });

  it("each have a case", () => {
    expect(new Set(cases.map(({ dialect }) => dialect))).toEqual(
      new Set(dialects.map(({ id }) => id)),
    );
  });

  it("are read whatever the file is called, when forced", () => {
    const text = json({ mcpServers: { a: { url } } });
    expect(readConfig({ text, dialect: "cline" }).servers[0]?.config?.transport).toBe("sse");
    expect(readConfig({ text, dialect: "cursor" }).servers[0]?.config?.transport).toBe("http");
    const unknown = readConfig({ text, dialect: "nonsense" });
    expect(unknown.documentOk).toBe(false);
    expect(unknown.findings.map(({ id }) => id)).toEqual(["GW110"]);
  });

  it("point at what was written, not at what it became", () => {
    const text =
      '{\n  "mcp": {\n    "a": {\n      "type": "local",\n      "command": ["npx", "-y",\n        "pkg"]\n    }\n  }\n}';
    const [finding] = readConfig({ text, path: "opencode.json" }).findings;
    expect(finding).toMatchObject({
      id: "GW204",
      pointer: "/mcp/a/command/2",
      line: 6,
      column: 9,
      end_line: 6,
      end_column: 14,
    });
  });

  it("point into TOML", () => {
    const text =
      '# head\n[mcp_servers.a]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "pkg",\n]\n[mcp_servers.a.env]\nPATH = """\nx"""\n';
    const found = readConfig({ text, path: ".codex/config.toml" }).findings;
    expect(found.map(({ id, line, column }) => `${id} ${line}:${column}`)).toEqual([
      "GW204 6:3",
      "GW209 9:1",
    ]);
  });

  it("keep two inputs apart whose ids fall together", () => {
    const reading = readConfig({
      path: ".vscode/mcp.json",
      text: json({
        inputs: [{ id: "api-key" }, { id: "api_key" }],
        servers: {
          a: {
            type: "http",
            url,
            headers: { "X-A": "${input:api-key}", "X-B": "${input:api_key}" },
          },
        },
      }),
    });
    expect(reading.servers[0]?.config).toMatchObject({
      headers: { "X-A": "${api_key}", "X-B": "${api_key_2}" },
      inputs: ["api_key", "api_key_2"],
    });
  });

  it("number names that fall together", () => {
    const servers = {
      "a-b": { command: "uvx", args: ["x==1.0.0"] },
      "a.b": { command: "uvx", args: ["y==1.0.0"] },
      "***": { command: "uvx", args: ["z==1.0.0"] },
    };
    expect(readConfig({ value: { mcpServers: servers } }).servers.map(({ name }) => name)).toEqual([
      "a_b",
      "a_b_2",
      "server_3",
    ]);
  });
});

describe("what changes when a dialect is read", () => {
  const findings = (value: unknown, dialect?: string) =>
    readConfig({ value, ...(dialect === undefined ? {} : { dialect }) }).findings;

  it("tells of default values in a URL whether they take the reference's place", () => {
    const server = { type: "http", url: "https://${HOST:-a.example}/mcp?k=${KEY:-v}" };
    const told = findings({ mcpServers: { a: server } }, "claude-code");
    expect(told.map(({ id, message }) => [id, message])).toEqual([
      [
        "GW416",
        "The default value of HOST takes its place: a URL may hold references in its query only.",
      ],
      ["GW416", "The default value of KEY is not kept."],
    ]);
  });

  it("tells the name under which an input is sent", () => {
    const servers = { a: { type: "http", url: "https://a.example/mcp", headers: {} as object } };
    servers.a.headers = { A: "${input:docs-token}", B: "${input:plain}" };
    const inputs = [{ id: "docs-token" }, { id: "plain" }];
    expect(findings({ servers, inputs }, "vscode")).toEqual([
      expect.objectContaining({
        id: "GW123",
        message: "The input 'docs-token' is called 'docs_token' here.",
        hint: expect.stringContaining("`docs_token`"),
        pointer: "/servers/a/headers/A",
      }),
    ]);
  });

  it("lists the dialects where one is not known, and tells which may have been meant", () => {
    const [finding] = findings({ mcpServers: {} }, "cursr");
    expect(finding).toMatchObject({
      id: "GW110",
      message: "The dialect 'cursr' is not known. Did you mean 'cursor'?",
    });
    for (const { id } of dialects) expect(finding?.hint).toContain(id);
  });

  it("tells what to make of a list where clients look for a map", () => {
    expect(findings({ servers: [{ name: "a", command: "npx" }] })).toEqual([
      expect.objectContaining({
        id: "GW110",
        hint: "Write the list under `tools` (each entry with `type: mcp`), or `servers` as a map of names to servers.",
      }),
    ]);
  });
});
