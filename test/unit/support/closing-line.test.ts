import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../support/source-files.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-reporter-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs vitest with the reporter over one test file; answers its last line and exit code. */
async function run(file: string, ...args: string[]) {
  await writeFile(join(folder, "a.test.js"), `import { expect, it } from "vitest";\n${file}`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const reporter = join(root, "test/support/closing-line-reporter.ts");
  const argv = [vitest, "run", "--root", folder, "--reporter=default", `--reporter=${reporter}`];
  return new Promise((resolve) => {
    execFile(process.execPath, [...argv, ...args], { cwd: folder }, (error, stdout) => {
      resolve({ last: stdout.trimEnd().split("\n").at(-1), code: error?.code ?? 0 });
    });
  });
}

describe("the closing line of a test run", () => {
  it("counts what passed", async () => {
    expect(await run('it("a", () => expect(1).toBe(1)); it("b", () => {});')).toEqual({
      last: "2 passed, 0 failed, 0 skipped",
      code: 0,
    });
  });

  it("counts failures, and a file that does not load as one", async () => {
    expect(await run('it("a", () => expect(1).toBe(2)); it("b", () => {});')).toEqual({
      last: "1 passed, 1 failed, 0 skipped",
      code: 1,
    });
    expect(await run('import "./none.js";')).toEqual({
      last: "0 passed, 1 failed, 0 skipped",
      code: 1,
    });
  });

  it("fails a run with a skipped test that is not listed", async () => {
    expect(await run('it.skip("a", () => {}); it("b", () => {});')).toEqual({
      last: "1 passed, 0 failed, 1 skipped",
      code: 1,
    });
  });

  it("lets tests be picked by name", async () => {
    expect(await run('it("a", () => {}); it("b", () => {});', "-t", "b")).toEqual({
      last: "1 passed, 0 failed, 1 skipped",
      code: 0,
    });
  });
});
