import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { binArgv } from "../../../../../functions/host/launch/npm/bin-argv.ts";

let root = "";
let folder = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gangway-bin-"));
  folder = join(root, "package");
  await mkdir(folder);
  await writeFile(join(root, "outside.js"), "");
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  await chmod(join(folder, name), 0o755);
  return name;
}

describe("binArgv", () => {
  it.each([
    ["a.js", "console.log(1)"],
    ["a.mjs", "#!/usr/bin/env node\n"],
    ["a.cjs", "#! /usr/local/bin/node\r\n"],
    ["no-extension", "#!/usr/bin/env -S node\n"],
    ["no-shebang", "console.log(1)"],
  ])("starts %s by the host's own Node", async (name, content) => {
    expect(await binArgv(folder, await file(name, content))).toEqual([
      process.execPath,
      join(folder, name),
    ]);
  });

  it.each([
    ["run.sh", "#!/bin/sh\n"],
    ["python", "#!/usr/bin/env python3\n"],
    ["flags.js", "#!/usr/bin/env -S node --no-warnings\n"],
    ["bun.js", "#!/usr/bin/env bun\n"],
    ["native", "\u007fELF\u0002\u0001"],
  ])("starts %s by its file", async (name, content) => {
    expect(await binArgv(folder, await file(name, content))).toEqual([join(folder, name)]);
  });

  it.each(["missing.js", "../outside.js", "/../outside.js", "."])(
    "refuses %s, which is no file of the package",
    async (path) => {
      await expect(binArgv(folder, path)).rejects.toMatchObject({ code: "PROCESS_START_FAILED" });
    },
  );

  it("refuses a link that leads out of the package", async () => {
    await symlink("../outside.js", join(folder, "link.js"));
    await expect(binArgv(folder, "link.js")).rejects.toMatchObject({
      code: "PROCESS_START_FAILED",
    });
  });
});
