import { existsSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../shared/config/read-config.ts";
import { matches, pages } from "../support/docs.ts";
import { root, sourceFiles } from "../support/source-files.ts";

/** Paths in backticks that begin with a folder or end as a file of this repository does. */
const pathPattern = /`((?:shared|functions|infra|test|docs|examples)\/[\w./-]+)`/g;
const linkPattern = /\]\((?!https?:)([^)#]+)/g;
const blockPattern = /^```(yaml|json)\n([^]*?)^```$/gm;
/** A file that is named without its folder. */
const fileNamePattern = /`([\w.-]+\.(?:ts|mjs|yml|yaml|toml))`/g;

describe("the documentation", () => {
  it("is seen", () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"]),
    );
    expect(pages.flatMap(({ text }) => matches(text, pathPattern)).length).toBeGreaterThan(50);
  });

  it.each(pages)("names only files that exist, and links to them: $path", ({ path, text }) => {
    const links = matches(text, linkPattern).map((link) => normalize(join(dirname(path), link)));
    const named = [...matches(text, pathPattern), ...links];
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("names only files that there are where it leaves their folder out", () => {
    const files = sourceFiles("*.*", "{functions,shared,infra,test,examples,docs}/**/*.*");
    // my-agent.yaml is a file of the people who read the page.
    const names = new Set([...files.map(({ path }) => basename(path)), "my-agent.yaml"]);
    const named = pages
      .filter(({ path }) => !path.startsWith("docs/reference/"))
      .flatMap(({ text }) => matches(text, fileNamePattern));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it("has a README of at most 150 lines", () => {
    const readme = pages.find(({ path }) => path === "README.md");
    expect(readme?.text.split("\n").length).toBeLessThanOrEqual(151);
  });

  it("shows configs and answers that are right", () => {
    const readme = pages.find(({ path }) => path === "README.md")?.text ?? "";
    const blocks = [...readme.matchAll(blockPattern)];
    expect(blocks.map(([, language]) => language)).toEqual(["yaml", "yaml", "json", "json"]);
    const [ownServer, remote, result, failure] = blocks.map(([, , code = ""]) => code);
    const findings = [ownServer, remote].flatMap(
      (text = "") => readConfig({ text: text.replace("PACKAGE@VERSION", "a@1.0.0") }).findings,
    );
    expect(findings).toEqual([]);
    expect(JSON.parse(result ?? "")).toMatchObject({ success: true });
    expect(JSON.parse(failure ?? "")).toMatchObject({ success: false });
  });
});
