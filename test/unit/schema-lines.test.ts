import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/source-files.ts";

/** Examples that people open in an editor. */
const files = [
  ...readdirSync(join(root, "examples"))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `examples/${name}`),
  "infra/gangway.yaml",
  "infra/gangway.dev.yaml",
];
const schemaLine = /^# yaml-language-server: \$schema=(\S+)\n/;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function schemaOf(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
}

describe("examples in YAML", () => {
  it.each(files)("%s names its schema on the first line, and fits it", (file) => {
    const text = readFileSync(join(root, file), "utf8");
    const [, schema = ""] = schemaLine.exec(text) ?? [];
    expect(schema).toMatch(/\.schema\.json$/);
    const accepts = ajv.compile(schemaOf(join(dirname(file), schema)));
    expect(accepts(parse(text)) ? [] : accepts.errors).toEqual([]);
  });
});

/** Configs in the README, as people copy them into a file beside it. */
const blocks = readFileSync(join(root, "README.md"), "utf8").matchAll(/^```yaml\n([^]*?)^```$/gm);

describe("examples in the README", () => {
  it.each([...blocks].map(([, text = ""]) => text))("name their schema, and fit it: %s", (text) => {
    const [, schema = ""] = schemaLine.exec(text) ?? [];
    expect(ajv.compile(schemaOf(schema))(parse(text))).toBe(true);
  });
});

describe("JSON schemas", () => {
  it.each(["agent", "gangway"])("%s holds examples that fit it", (name) => {
    const schema = schemaOf(`docs/schema/${name}.schema.json`);
    const examples = schema["examples"];
    expect(Array.isArray(examples) && examples.length > 0).toBe(true);
    const accepts = ajv.compile(schema);
    for (const example of Array.isArray(examples) ? examples : [])
      expect(accepts(example) ? [] : accepts.errors).toEqual([]);
  });

  it.each([
    ["a misspelt field", { comand: "npx" }],
    ["a wrong type", { command: "npx", args: "-y" }],
    ["another command", { command: "bash" }],
  ])("refuse %s in a server's entry, which no other kind of tool takes up", (_, fields) => {
    const accepts = ajv.compile(schemaOf("docs/schema/agent.schema.json"));
    const entry = { name: "a", type: "mcp", description: "d", ...fields };
    expect(accepts({ tools: [entry] })).toBe(false);
    expect(accepts({ tools: [{ ...entry, type: "function" }] })).toBe(true);
  });
});
