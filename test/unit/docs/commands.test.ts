import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { codeBlocks, matches, writtenPages } from "../../support/docs.ts";
import { root } from "../../support/source-files.ts";

const all = writtenPages.map(({ text }) => text).join("\n");
const shellLines = writtenPages
  .flatMap(({ path, text }) => codeBlocks(path, text))
  .flatMap(({ language, code }) => (language === "sh" ? code.split("\n") : []));

describe("command lines in the documentation", () => {
  it("are seen", () => {
    expect(shellLines.length).toBeGreaterThan(20);
  });

  it("run TypeScript on the Node of the project, whatever the machine has", () => {
    const named = [...shellLines, ...matches(all, /`([^`\n]*\bnode [\w/.-]+\.ts[^`\n]*)`/g)];
    // What a Dockerfile runs has the Node of the image.
    const here = named.filter((line) => !line.startsWith("RUN "));
    const typescript = here.filter((line) => /\bnode (?:-e|[\w/.-]+\.ts)/.test(line));
    expect(typescript.length).toBeGreaterThan(5);
    const own = /(?:npx |node_modules\/\.bin\/)node (?:-e|[\w/.-]+\.ts)/;
    expect(typescript.filter((line) => !own.test(line))).toEqual([]);
  });

  it("write to the KV of the deployment, not to this machine's", () => {
    const lines = shellLines.filter((line) => line.includes("wrangler kv bulk"));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes("--remote"))).toEqual([]);
  });
});

describe("the blocks of wrangler.toml that stand in comment marks", () => {
  it("are right once the marks are taken away", () => {
    const text = readFileSync(join(root, "wrangler.toml"), "utf8");
    const blocks = text.replaceAll(/^# (\[\[.*\]\]|\w+ = .*)$/gm, "$1");
    expect(parse(blocks)).toMatchObject({
      services: [{ binding: "GANGWAY_RUNNER", service: "gangway-runner" }],
      kv_namespaces: [{ binding: "GANGWAY_TENANTS", id: expect.any(String) }],
    });
  });
});
