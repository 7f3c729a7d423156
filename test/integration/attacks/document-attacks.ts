/** One document that is no plain data, or more than it looks. */
export interface DocumentAttack {
  readonly what: string;
  /** The file's name, by which its syntax is told. */
  readonly path: string;
  readonly text: string;
  readonly rule: string;
}

type Row = readonly [what: string, path: "agent.yaml" | ".mcp.json", text: string, rule: string];

const yaml = "agent.yaml";
const json = ".mcp.json";
const entry =
  "name: a\n    type: mcp\n    description: d\n    command: npx\n    args: [-y, good@1.0.0]";
const tools = `tools:\n  - ${entry}\n`;
const server = '{"command":"npx","args":["-y","good@1.0.0"]}';
const bomb = Array.from({ length: 9 }, (_, level) => {
  const inner = level === 0 ? "x" : `*l${level - 1}`;
  return `l${level}: &l${level} [${Array.from({ length: 10 }, () => inner).join(", ")}]`;
}).join("\n");

const rows: readonly Row[] = [
  ["an alias bomb", yaml, `${bomb}\n${tools}`, "GW106"],
  ["an alias of itself", yaml, `${tools}x: &a [*a]\n`, "GW106"],
  ["a tag that runs code", yaml, `${tools}    env: {X: !!js/function 'function () {}'}\n`, "GW142"],
  [
    "a tag that makes an object",
    yaml,
    `${tools}    env: {X: !!python/object/apply:os.system [id]}\n`,
    "GW142",
  ],
  ["a tag of its own", yaml, `${tools}    env: {X: !evil y}\n`, "GW142"],
  ["binary data", yaml, `${tools}    env: {X: !!binary aGk=}\n`, "GW142"],
  ["a second document", yaml, `${tools}---\n${tools}`, "GW104"],
  ["a key twice, in YAML", yaml, `${tools}${tools}`, "GW102"],
  ["a field twice, in YAML", yaml, `${tools}    args: [-c, id]\n`, "GW102"],
  ["a key twice, in JSON", json, `{"mcpServers":{"a":${server},"a":{"command":"sh"}}}`, "GW102"],
  [
    "a key twice, escaped once",
    json,
    `{"mcpServers":{"a":${server},"\\u0061":{"command":"sh"}}}`,
    "GW102",
  ],
  ["a prototype, in JSON", json, `{"mcpServers":{"__proto__":${server}}}`, "GW107"],
  ["a prototype, escaped", json, `{"mcpServers":{"\\u005f_proto__":${server}}}`, "GW107"],
  ["a prototype, in YAML", yaml, `${tools}    env: {__proto__: {a: b}}\n`, "GW107"],
  [
    "a constructor",
    json,
    `{"mcpServers":{"a":{"command":"npx","args":["-y","good@1.0.0"],"env":{"constructor":"x"}}}}`,
    "GW107",
  ],
  ["a conflict that was left", yaml, `<<<<<<< HEAD\n${tools}=======\n>>>>>>> x\n`, "GW103"],
  [
    "endless depth, in JSON",
    json,
    `{"mcpServers":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    "GW105",
  ],
  ["endless depth, in YAML", yaml, `x: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`, "GW105"],
  [
    "endless depth by indentation",
    yaml,
    Array.from({ length: 80 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
    "GW105",
  ],
  ["nothing but signs", yaml, `x: ${"- ".repeat(450_000)}\n`, "GW105"],
  [
    "an endless text",
    json,
    `{"mcpServers":{"a":{"command":"npx","args":["-y","good@1.0.0"],"env":{"X":"${"x".repeat(70_000)}"}}}}`,
    "GW139",
  ],
  ["an endless name", json, `{"mcpServers":{"${"a".repeat(2_000)}":${server}}}`, "GW139"],
  [
    "endless arguments",
    yaml,
    `tools:\n  - ${entry.replace("good@1.0.0", `good@1.0.0${", x".repeat(200)}`)}\n`,
    "GW118",
  ],
  ["a NUL", json, `{"mcpServers":{"a":${server}}}\u0000`, "GW101"],
  [
    "an escaped NUL",
    json,
    `{"mcpServers":{"a":{"command":"npx","args":["-y","good@1.0.0","x\\u0000"]}}}`,
    "GW101",
  ],
  ["no end", json, `{"mcpServers":{"a":${server}`, "GW100"],
  ["more behind the end", json, `{"mcpServers":{"a":${server}}} {"mcpServers":{}}`, "GW104"],
  [
    "a merge of keys",
    yaml,
    `base: &b {command: sh}\ntools:\n  - <<: *b\n    name: a\n    type: mcp\n`,
    "GW201",
  ],
];

export const documentAttacks: readonly DocumentAttack[] = rows.map(([what, path, text, rule]) => ({
  what,
  path,
  text,
  rule,
}));
