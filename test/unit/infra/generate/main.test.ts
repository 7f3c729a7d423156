import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "../../../support/source-files.ts";

/** What the generators read. */
const read = [
  "infra",
  "shared",
  "functions",
  "docs",
  "package.json",
  "package-lock.json",
  ".dockerignore",
];

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "gangway-generate-"));
  for (const path of read) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterEach(() => rmSync(copy, { recursive: true }));

it.each([[[]], [["--check"]]])("tells what is wrong with infra/gangway.yaml alone, %j", (args) => {
  writeFileSync(join(copy, "infra/gangway.yaml"), 'version: "1.0"\ntenants: 3\n');
  const program = join(copy, "infra/generate/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  const lines = stderr.trimEnd().split("\n");
  expect(lines[0]).toMatch(/infra\/gangway\.yaml:2:\d+ error 'tenants' must be a list/);
  expect(lines).toHaveLength(2); // The finding and its hint.
});
