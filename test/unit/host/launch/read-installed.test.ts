import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onlyPlainFiles } from "../../../../functions/host/launch/only-plain-files.ts";
import { binArgv } from "../../../../functions/host/launch/npm/bin-argv.ts";
import { readInstalledText } from "../../../../functions/host/launch/read-installed.ts";

let root = "";
let folder = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gangway-installed-"));
  folder = join(root, "package");
  await mkdir(join(folder, "deep"), { recursive: true });
  await writeFile(join(root, "outside"), "outside");
  await writeFile(join(folder, "file"), "text");
  await symlink("../file", join(folder, "deep", "link"));
  await symlink(join(root, "outside"), join(folder, "out"));
  await symlink("/dev/zero", join(folder, "endless"));
  await writeFile(join(folder, "huge"), "");
  await truncate(join(folder, "huge"), 2 ** 40);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Nobody writes to the pipe: who opened it as a file would wait for ever. */
async function withPipe(path: string, work: () => Promise<void>): Promise<void> {
  execFileSync("mkfifo", [path]);
  await work();
  await rm(path);
}

describe("readInstalledText", () => {
  it("reads files and links among the package's own", async () => {
    expect(await readInstalledText(folder, join(folder, "file"))).toBe("text");
    expect(await readInstalledText(folder, join(folder, "deep", "link"))).toBe("text");
  });

  it.each(["out", "endless", "huge", "deep", "missing"])("reads nothing of %s", async (name) => {
    expect(await readInstalledText(folder, join(folder, name))).toBeNull();
  });

  it("waits for no pipe, and no program is one", () =>
    withPipe(join(folder, "pipe.js"), async () => {
      expect(await readInstalledText(folder, join(folder, "pipe.js"))).toBeNull();
      await expect(binArgv(folder, "pipe.js")).rejects.toMatchObject({
        code: "PROCESS_START_FAILED",
      });
    }));
});

describe("onlyPlainFiles", () => {
  it("takes files, folders and links, and refuses a pipe in any of them", async () => {
    await onlyPlainFiles(folder);
    await withPipe(join(folder, "deep", "pipe"), () =>
      expect(onlyPlainFiles(folder)).rejects.toMatchObject({ code: "INSTALL_FAILED" }),
    );
  });

  it("refuses what cannot be looked into", () =>
    expect(onlyPlainFiles(join(root, "missing"))).rejects.toMatchObject({
      code: "INSTALL_FAILED",
    }));
});
