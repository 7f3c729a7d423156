import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  expandReferences,
  findReferences,
  queryStart,
  referencedNames,
} from "../../../../shared/config/references.ts";
import { serverConfigSchema, type ServerConfig } from "../../../../shared/config/server-config.ts";

function server(fields: Readonly<Record<string, unknown>>): ServerConfig {
  return serverConfigSchema.parse({ name: "a", type: "mcp", ...fields });
}

const one = server({
  transport: "http",
  url: "https://a.example.com/${NOT}?k=${KEY}",
  headers: { Authorization: "Bearer ${TOKEN}" },
  env: { A: "${A}", B: "$${LITERAL}" },
  args: ["--x=${ARG}"],
  config: { deep: [{ "a/b": "${DEEP}" }], "${KEY_NAME}": 1 },
  description: "${DESCRIPTION}",
});

describe("references", () => {
  it("are found in env, headers, config, args and the url's query, with pointers", () => {
    expect(findReferences(one, "/tools/0")).toEqual([
      { name: "A", pointer: "/tools/0/env/A", place: "env" },
      { name: "TOKEN", pointer: "/tools/0/headers/Authorization", place: "headers" },
      { name: "DEEP", pointer: "/tools/0/config/deep/0/a~1b", place: "config" },
      { name: "ARG", pointer: "/tools/0/args/0", place: "args" },
      { name: "KEY", pointer: "/tools/0/url", place: "url" },
    ]);
  });

  it.each([
    ["${A}", ["A"]],
    ["x${A}y${_b2}z${A}", ["A", "_b2", "A"]],
    ["$${A}", []],
    ["$$${A}", []],
    ["${}", []],
    ["${1A}", []],
    ["${A:-d}", []],
    ["${env:A}", []],
    ["$A", []],
    ["${A", []],
    ["${A-B}", []],
    ["${ A }", []],
    ["${${A}}", ["A"]],
  ])("in %j are %j", (text, names) => {
    expect(referencedNames(text)).toEqual(names);
  });

  it("are replaced where they are allowed and nowhere else (case 24)", () => {
    const values = new Map(
      ["A", "TOKEN", "DEEP", "ARG", "KEY", "NOT", "DESCRIPTION", "KEY_NAME", "LITERAL"].map(
        (name) => [name, `<${name}>`],
      ),
    );
    const expanded = expandReferences(one, values);
    expect(expanded.env).toEqual({ A: "<A>", B: "${LITERAL}" });
    expect(expanded.headers).toEqual({ Authorization: "Bearer <TOKEN>" });
    expect(expanded.args).toEqual(["--x=<ARG>"]);
    expect(expanded.config).toEqual({ deep: [{ "a/b": "<DEEP>" }], "${KEY_NAME}": 1 });
    expect(expanded.url).toBe("https://a.example.com/${NOT}?k=%3CKEY%3E");
    expect(expanded.description).toBe("${DESCRIPTION}");
  });

  it("are replaced once: a value that holds a reference stays as it is", () => {
    const values = new Map([
      ["A", "${B}"],
      ["B", "deep"],
    ]);
    expect(expandReferences(server({ env: { X: "${A}" } }), values).env).toEqual({ X: "${B}" });
  });

  it("keep special replacement patterns of a value literally", () => {
    const values = new Map([["A", "$& $1 $$"]]);
    expect(expandReferences(server({ env: { X: "-${A}-" } }), values).env).toEqual({
      X: "-$& $1 $$-",
    });
  });

  it("without a value stay as they are", () => {
    expect(expandReferences(server({ env: { X: "${A}" } }), new Map()).env).toEqual({ X: "${A}" });
  });

  it("with an empty value become nothing", () => {
    expect(expandReferences(server({ env: { X: "-${A}-" } }), new Map([["A", ""]])).env).toEqual({
      X: "--",
    });
  });

  it("do not change the config that they stand in", () => {
    const before = JSON.stringify(one);
    expandReferences(one, new Map([["A", "x"]]));
    expect(JSON.stringify(one)).toBe(before);
  });

  it("leave no trace of themselves once every name has a plain value", () => {
    const parts = fc.array(
      fc.oneof(
        fc.constant("${A}"),
        fc.constant("$${A}"),
        fc.constantFrom("$", "{", "}", "A", "x", " "),
      ),
    );
    fc.assert(
      fc.property(parts, (list) => {
        const text = list.join("");
        const expanded =
          expandReferences(server({ env: { X: text } }), new Map([["A", "v"]])).env["X"] ?? "";
        const escapes = [...text.matchAll(/\$\$\{A\}/g)].length;
        expect([...expanded.matchAll(/\$\{A\}/g)].length).toBeGreaterThanOrEqual(
          escapes === 0 ? 0 : 1,
        );
        expect(expanded === text || text.includes("$")).toBe(true);
      }),
    );
  });

  it.each([
    ["https://a/b", 11],
    ["https://a/b?c", 12],
    ["https://a/b#x?c", 15],
    ["https://a/b?c#d?e", 12],
  ])("of a url begin after the ? of %s", (url, start) => {
    expect(queryStart(url)).toBe(start);
  });
});
