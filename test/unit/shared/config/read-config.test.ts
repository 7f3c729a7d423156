import { describe, expect, it } from "vitest";
import { readConfig, type ConfigReading } from "../../../../shared/config/read-config.ts";
import { requestLimits } from "../../../../shared/config/limits.ts";

const good = `tools:
  - name: filesystem
    type: mcp
    description: Files
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", /data]
`;

function errors(reading: ConfigReading): string[] {
  return reading.findings
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

function native(entry: string): ConfigReading {
  return readConfig({
    text: `tools:\n  - name: one\n    type: mcp\n    description: d\n    ${entry}\n`,
  });
}

describe("readConfig", () => {
  it("fills every default in", () => {
    const { dialect, documentOk, findings, servers } = readConfig({ text: good });
    expect({ dialect, documentOk, findings }).toEqual({
      dialect: "native",
      documentOk: true,
      findings: [],
    });
    expect(servers).toHaveLength(1);
    expect(servers[0]).toEqual({
      name: "filesystem",
      pointer: "/tools/0",
      disabled: false,
      findings: [],
      references: [],
      config: {
        name: "filesystem",
        description: "Files",
        type: "mcp",
        transport: "stdio",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/data"],
        env: {},
        encoding: "utf-8",
        headers: {},
        timeout: 30,
        sse_read_timeout: 300,
        terminate_on_close: true,
        load_tools: true,
        load_prompts: true,
        request_timeout: 60,
        protocol: "auto",
        disabled_tools: [],
        inputs: [],
        disabled: false,
        share: "subject",
      },
    });
  });

  it.each([
    ["command: node", "Invalid command 'node'. Supported commands: npx, uvx, docker"],
    ["command: NPX", "Invalid command 'NPX'. Supported commands: npx, uvx, docker"],
    ["transport: stdio", "'command' is required for stdio transport"],
    ["transport: sse", "'url' is required for sse transport"],
    ["transport: websocket", "'url' is required for websocket transport"],
    ["transport: http", "'url' is required for http transport"],
    [
      "transport: http\n    url: http://mcp.example.com/mcp",
      "'url' must use https:// (or http:// for localhost)",
    ],
    [
      "command: npx\n    args: [-y, a@1.0.0]\n    request_timeout: 0",
      "request_timeout must be positive",
    ],
    [
      "command: npx\n    args: [-y, a@1.0.0]\n    request_timeout: -5",
      "request_timeout must be positive",
    ],
    [
      'command: npx\n    args: [-y, a@1.0.0]\n    server: ""',
      "'server' must be a non-empty identifier",
    ],
  ])("begins the message for `%s` with the contract's text", (entry, text) => {
    const [first = "", ...others] = errors(native(entry));
    expect(first.startsWith(text)).toBe(true);
    expect(others).toEqual([]);
  });

  it("names all duplicates in one sorted sentence", () => {
    const text = ["b", "a", "b", "a"]
      .map(
        (name) =>
          `  - {name: ${name}, type: mcp, description: d, command: npx, args: [-y, a@1.0.0]}`,
      )
      .join("\n");
    const reading = readConfig({ text: `tools:\n${text}\n` });
    expect(new Set(errors(reading))).toEqual(
      new Set(["Duplicate tool names found: a, b. Each tool must have a unique name."]),
    );
    expect(reading.servers.every(({ config }) => config === null)).toBe(true);
  });

  it("makes a server with an error unusable and leaves the others usable (case 25)", () => {
    const reading = readConfig({
      text: `${good}  - {name: broken, type: mcp, description: d, command: bash}\n`,
    });
    expect(reading.documentOk).toBe(true);
    expect(reading.servers.map(({ name, config }) => [name, config !== null])).toEqual([
      ["filesystem", true],
      ["broken", false],
    ]);
  });

  it("gives a duplicate key inside one server to that server alone", () => {
    const reading = readConfig({
      text: `${good}  - {name: b, name: c, type: mcp, description: d, command: npx, args: [-y, a@1.0.0]}\n`,
    });
    expect(reading.documentOk).toBe(true);
    expect(reading.servers.map(({ config }) => config !== null)).toEqual([true, false]);
  });

  it("distrusts the whole document where the servers' own key is written twice", () => {
    const reading = readConfig({
      text: '{"mcpServers": {}, "mcpServers": {"a": {"command": "npx", "args": ["-y", "a@1.0.0"]}}}',
    });
    expect(reading.documentOk).toBe(false);
  });

  it("tells a duplicate key elsewhere and keeps the servers usable", () => {
    const reading = readConfig({ text: `model: {a: 1, a: 2}\n${good}` });
    expect(reading.findings.map(({ id }) => id)).toEqual(["GW102"]);
    expect(reading.documentOk).toBe(true);
    expect(reading.servers[0]?.config).not.toBeNull();
  });

  it("keeps other keys and other tools without judging them", () => {
    const text = `anything: [1, {x: y}]\n${good}  - {name: search, type: vectorstore, command: 7, nonsense: true}\n`;
    expect(readConfig({ text }).findings).toEqual([]);
  });

  it("tells everything at once, each finding where it is (case 31)", () => {
    const text = [
      "tools:",
      "  - name: bad-name",
      "    type: mcp",
      "    comand: npx",
      "    request_timeout: -1",
      "    env: {A: 1}",
      "  - type: mcp",
      "    transport: sse",
      "    url: http://example.com/sse",
    ].join("\n");
    const found = readConfig({ text }).findings.filter(({ severity }) => severity === "error");
    expect(found.map(({ id, line, column }) => `${id} ${line}:${column}`)).toEqual([
      "GW134 2:5",
      "GW122 2:11",
      "GW113 4:5",
      "GW124 5:22",
      "GW120 6:14",
      "GW121 7:5",
      "GW302 9:10",
    ]);
  });

  it("suggests the field that an unknown one was meant to be (case 30)", () => {
    const messages = [
      "comand",
      "requestTimeout",
      "serverUrl",
      "environment",
      "disabledTools",
      "zzz",
    ].map((key) => errors(native(`command: npx\n    args: [-y, a@1.0.0]\n    ${key}: x`))[0]);
    expect(messages).toEqual([
      "Unknown field 'comand'. Did you mean 'command'?",
      "Unknown field 'requestTimeout'. Did you mean 'request_timeout'?",
      "Unknown field 'serverUrl'. Did you mean 'url'?",
      "Unknown field 'environment'. Did you mean 'env'?",
      "Unknown field 'disabledTools'. Did you mean 'disabled_tools'?",
      "Unknown field 'zzz'.",
    ]);
  });

  it.each([
    ["npx", 'server: "@scope/pkg@1.0.0"\n    command: npx', ["-y", "@scope/pkg@1.0.0"]],
    ["uvx", "server: pkg==1.0.0\n    command: uvx", ["pkg==1.0.0"]],
    ["npx", 'server: "@scope/pkg@1.0.0"', ["-y", "@scope/pkg@1.0.0"]],
    ["npx", "server: label\n    command: npx\n    args: [-y, other@1.0.0]", ["-y", "other@1.0.0"]],
  ])("runs %s for `%s`", (command, entry, args) => {
    expect(native(entry).servers[0]?.config).toMatchObject({ command, args });
  });

  it("reads a file with byte order mark, CRLF, comments and trailing commas (case 32)", () => {
    const yaml = readConfig({ text: `\uFEFF${good.replaceAll("\n", "\r\n")}` });
    expect(yaml.findings.map(({ id }) => id)).toEqual(["GW108"]);
    const text =
      '\uFEFF{\r\n  // servers\r\n  "servers": {"a": {"type": "http", "url": "https://a.example.com/mcp",},},\r\n}';
    const json = readConfig({ text, path: ".vscode/mcp.json" });
    expect(json.findings.map(({ id }) => id)).toEqual(["GW108"]);
    expect(json.servers[0]?.config).toMatchObject({
      transport: "http",
      url: "https://a.example.com/mcp",
    });
  });

  it("reads an object, without positions", () => {
    const reading = readConfig({
      value: { tools: [{ name: "a b", type: "mcp", command: "npx" }] },
    });
    expect(reading.findings.map(({ id, pointer, line }) => [id, pointer, line])).toContainEqual([
      "GW122",
      "/tools/0/name",
      null,
    ]);
  });

  it("reads bytes, and refuses those that are no UTF-8", () => {
    const bytes = new TextEncoder().encode(good);
    expect(readConfig({ bytes }).findings).toEqual([]);
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...Array.from(new TextEncoder().encode(good)).flatMap((byte) => [byte, 0]),
    ]);
    expect(readConfig({ bytes: utf16 }).findings.map(({ id, message }) => [id, message])).toEqual([
      ["GW101", "The file is UTF-16 (little endian), not UTF-8."],
    ]);
    expect(readConfig({ bytes: utf16.slice(2) }).findings.map(({ id }) => id)).toEqual(["GW101"]);
    expect(readConfig({ bytes: new Uint8Array([0x61, 0xff]) }).documentOk).toBe(false);
  });

  it("follows aliases and merge keys, and counts what they expand to", () => {
    const text = `base: &base {type: mcp, description: d, command: npx}\ntools:\n  - <<: *base\n    name: a\n    args: [-y, a@1.0.0]\n`;
    expect(readConfig({ text }).servers[0]?.config).toMatchObject({ name: "a", command: "npx" });
    const levels = Array.from(
      { length: 9 },
      (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`,
    );
    const bomb = readConfig({
      text: `l0: &l0 [x, x, x, x, x, x, x, x, x]\n${levels.join("\n")}\ntools: []\n`,
    });
    expect(bomb.documentOk).toBe(false);
    expect(bomb.findings.map(({ id }) => id)).toEqual(["GW106"]);
  });

  it("never lets a key reach a prototype", () => {
    const reading = readConfig({
      text: '{"mcpServers": {"__proto__": {"command": "npx"}, "a": {"command": "npx", "env": {"__proto__": "x"}}}}',
    });
    expect(reading.findings.filter(({ id }) => id === "GW107")).toHaveLength(2);
    expect(Object.hasOwn(Object.prototype, "command")).toBe(false);
  });

  it("refuses more servers than the limit", () => {
    const entries = Array.from(
      { length: 101 },
      (_, index) => `  - {name: s${index}, type: mcp, command: npx, args: [-y, a@1.0.0]}`,
    );
    const reading = readConfig(
      { text: `tools:\n${entries.join("\n")}\n` },
      { limits: requestLimits },
    );
    expect(reading.documentOk).toBe(false);
    expect(reading.servers).toEqual([]);
  });

  it("bounds the pointers of findings: a long one leads as far as it is short", () => {
    const key = "k".repeat(1000);
    const config = { [key]: { [key]: { [key]: "ghp_".padEnd(40, "aB3") } } };
    const entry = {
      name: "a",
      type: "mcp",
      description: "d",
      command: "npx",
      args: ["-y", "a@1.0.0"],
      config,
    };
    const [finding] = readConfig({ value: { tools: [entry] } }).findings;
    expect(finding).toMatchObject({ id: "GW401", pointer: `/tools/0/config/${key}/${key}` });
  });

  it("lists the references of each server", () => {
    const reading = native(
      "command: npx\n    args: [-y, a@1.0.0]\n    env: {TOKEN: '${TOKEN}', X: '$${X}'}",
    );
    expect(reading.references).toEqual([
      { name: "TOKEN", pointer: "/tools/0/env/TOKEN", place: "env", server: "one" },
    ]);
  });

  it("lists a bounded number of references, and tells how many more there are", () => {
    const text = `config: {a: "${"${A}".repeat(6000)}"}`;
    const reading = native(`command: npx\n    args: [-y, a@1.0.0]\n    ${text}`);
    expect(reading.references).toHaveLength(5000);
    expect(reading.findings.map(({ id, message }) => [id, message])).toEqual([
      ["GW119", "1000 more references are not listed."],
    ]);
    expect(reading.servers[0]?.references).toHaveLength(6000);
    expect(reading.servers[0]?.config).not.toBeNull();
  });

  it("lists no more references than fit, each with its pointer", () => {
    const key = "k".repeat(1000);
    const config = { [key]: { [key]: { [key]: "${A}".repeat(2000) } } };
    const server = { name: "a", type: "mcp", command: "npx", args: ["-y", "a@1.0.0"], config };
    const reading = readConfig({ value: { tools: [server] } });
    expect(reading.references.length).toBeGreaterThan(100);
    expect(JSON.stringify(reading.references).length).toBeLessThan(2 * 1024 * 1024);
    expect(reading.findings.map(({ id }) => id)).toContain("GW119");
  });

  it("keeps a disabled server disabled", () => {
    expect(
      native("command: npx\n    args: [-y, a@1.0.0]\n    disabled: true").servers[0]?.disabled,
    ).toBe(true);
  });

  it("never makes a broken server usable by a severity setting, nor hides why", () => {
    const text = good.replace("command: npx", "command: bash");
    const reading = readConfig({ text }, { severities: { GW201: "off" } });
    expect(reading.findings.map(({ id }) => id)).toEqual(["GW201"]);
    expect(reading.servers[0]?.config).toBeNull();
  });

  it("changes severities by setting", () => {
    const text = good.replace("@2026.8.31", "");
    expect(
      readConfig({ text }, { severities: { GW204: "error" } }).findings.map(
        ({ severity }) => severity,
      ),
    ).toEqual(["error"]);
    expect(
      readConfig({ text }, { severities: { GW204: "error" } }).servers[0]?.config,
    ).not.toBeNull();
    expect(readConfig({ text }, { severities: { GW204: "off" } }).findings).toEqual([]);
  });

  it("validates the four examples of the first contract as they stand", () => {
    const text = `tools:
  - name: filesystem
    type: mcp
    server: "@modelcontextprotocol/server-filesystem"
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem"]
    config:
      allowed_directories: ["/workspace/data"]
  - name: remote_api
    type: mcp
    server: "my-mcp-server"
    transport: sse
    url: "https://mcp.example.com/sse"
    headers:
      Authorization: "Bearer \${API_TOKEN}"
    timeout: 30
    sse_read_timeout: 120
  - name: realtime
    type: mcp
    server: "realtime-server"
    transport: websocket
    url: "wss://mcp.example.com/ws"
  - name: streaming_api
    type: mcp
    server: "streaming-server"
    transport: http
    url: "https://mcp.example.com/stream"
    terminate_on_close: true
`;
    const reading = readConfig({ text, path: "agent.yaml" });
    expect(errors(reading)).toEqual([]);
    expect(reading.servers.map(({ config }) => config?.transport)).toEqual([
      "stdio",
      "sse",
      "websocket",
      "http",
    ]);
  });

  it.each([
    [
      "name: mcp-server-fetch\n    type: mcp\n    command: uvx\n    args: [mcp-server-fetch]",
      "GW122",
    ],
    ["name: a\n    type: mcp\n    transport: {type: stdio, command: npx}", "GW125"],
    ["name: a\n    type: mcp\n    server: stdio\n    command: mcp-filesystem", "GW201"],
    ['name: a\n    type: mcp\n    command: ["python", "-m", "x"]', "GW120"],
  ])("refuses the broken template `%s`", (entry, id) => {
    const found = readConfig({ text: `tools:\n  - ${entry}\n` }).findings;
    expect(
      found.filter(({ severity }) => severity === "error").map((finding) => finding.id),
    ).toContain(id);
  });
});
