import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/source-files.ts";

/** Faults that lint must find: the file they stand in, the text, the rule. */
const planted = [
  ["shared/any.ts", "export const a: any = 1;", "no-explicit-any"],
  [
    "shared/non-null.ts",
    "export const f = (a: string | null) => a!.length;",
    "no-non-null-assertion",
  ],
  [
    "shared/floating.ts",
    "export function f(p: Promise<void>) { p.then(String); }",
    "no-floating-promises",
  ],
  ["shared/unsafe.ts", 'export const a: string = JSON.parse("1");', "no-unsafe-assignment"],
  [
    "shared/node-import.ts",
    'export { readFile } from "node:fs/promises";',
    "no-restricted-imports",
  ],
  [
    "shared/upward.ts",
    'export { createApp } from "../functions/edge/app.ts";',
    "no-restricted-imports",
  ],
  ["shared/env.ts", 'export const a = process.env["A"];', "no-restricted-globals"],
  [
    "functions/edge/raw-fetch.ts",
    'export const a = () => fetch("https://a.example");',
    "no-restricted-globals",
  ],
  [
    "functions/edge/global-fetch.ts",
    "export const a = globalThis.fetch;",
    "no-restricted-properties",
  ],
  ["functions/edge/sideways.ts", 'export { log } from "../host/log.ts";', "no-restricted-imports"],
  [
    "functions/edge/void.ts",
    "export function f(p: Promise<void>) { void p; }",
    "no-floating-promises",
  ],
  [
    "functions/host/sideways.ts",
    'export { createApp } from "../edge/app.ts";',
    "no-restricted-imports",
  ],
  ["functions/host/env.ts", 'export const a = process.env["A"];', "no-process-env"],
  ["infra/upward.ts", 'export { log } from "../functions/host/log.ts";', "no-restricted-imports"],
  [
    "test/mock.test.ts",
    'import { vi } from "vitest";\nvi.mock("./a.ts");',
    "no-restricted-vi-methods",
  ],
  [
    "test/only.test.ts",
    'import { it, expect } from "vitest";\nit.only("a", () => expect(1).toBe(1));',
    "no-focused-tests",
  ],
] as const;

let folder: string;
let report: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-lint-"));
  for (const name of [".oxlintrc.json", "tsconfig.base.json", "package.json"]) {
    await cp(join(root, name), join(folder, name));
  }
  // Without types of packages, which stand elsewhere.
  await writeFile(join(folder, "tsconfig.json"), '{"extends": "./tsconfig.base.json"}');
  for (const [path, text] of planted) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${text}\n`);
  }
  report = await lint(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function lint(cwd: string): Promise<string> {
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  return new Promise((resolve) => {
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") };
    execFile(process.execPath, [oxlint, "--format=unix"], { cwd, env }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

describe("the lint rules", () => {
  it.each(planted)("find the fault planted in %s", (path, _text, rule) => {
    const found = report.split("\n").filter((line) => line.startsWith(`${path}:`));
    expect(found.join("\n")).toContain(`(${rule})`);
  });
});
