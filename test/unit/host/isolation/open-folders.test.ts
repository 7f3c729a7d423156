import { existsSync } from "node:fs";
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInstallFolders } from "../../../../functions/host/isolation/open-folders.ts";

const installer = { uid: 30_000, gid: 30_000 };
const launch = 30_007;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-folders-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A cache with one file, `deep` folders below; each part with the owner that is told. */
async function cacheOf(owners: { top: number; deep: number; file: number }): Promise<string> {
  const root = await mkdtemp(join(folder, "npm-"));
  const deep = join(root, "cache", "_cacache", "content");
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, "file"), "");
  await chown(join(root, "cache"), owners.top, owners.top);
  await chown(join(root, "cache", "_cacache"), owners.deep, owners.deep);
  await chown(deep, owners.deep, owners.deep);
  await chown(join(deep, "file"), owners.file, owners.file);
  return root;
}

describe.runIf(process.getuid?.() === 0)("the installer's cache", () => {
  const own = installer.uid;

  it("stays where all of it is the installer's", async () => {
    const root = await cacheOf({ top: own, deep: own, file: own });
    openInstallFolders(root, installer);
    expect(await readdir(join(root, "cache", "_cacache", "content"))).toEqual(["file"]);
  });

  it.each([
    ["a host of root's own made", { top: 0, deep: 0, file: 0 }],
    ["was handed over without what is in it", { top: own, deep: 0, file: 0 }],
    ["holds a file of root's", { top: own, deep: own, file: 0 }],
    ["holds a file of a launch", { top: own, deep: own, file: launch }],
  ])("is made anew where it %s", async (_what, owners) => {
    const root = await cacheOf(owners);
    openInstallFolders(root, installer);
    expect(await readdir(join(root, "cache"))).toEqual([]);
    const { uid, gid, mode } = await stat(join(root, "cache"));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ ...installer, mode: 0o700 });
  });

  it("is made anew where the installer may not use its own folder", async () => {
    const root = await cacheOf({ top: own, deep: own, file: own });
    await rm(join(root, "cache", "_cacache"), { recursive: true });
    await mkdir(join(root, "cache", "_cacache"), { mode: 0o500 });
    await chown(join(root, "cache", "_cacache"), own, own);
    openInstallFolders(root, installer);
    expect(await readdir(join(root, "cache"))).toEqual([]);
  });

  it("is not looked for behind links, which are taken away", async () => {
    const elsewhere = await mkdtemp(join(folder, "elsewhere-"));
    await writeFile(join(elsewhere, "file"), "");
    const within = await cacheOf({ top: own, deep: own, file: own });
    await symlink(elsewhere, join(within, "cache", "link"));
    await lchown(join(within, "cache", "link"), own, own);
    openInstallFolders(within, installer);
    expect(existsSync(join(within, "cache", "_cacache"))).toBe(true);
    const instead = await mkdtemp(join(folder, "npm-"));
    await symlink(elsewhere, join(instead, "cache"));
    openInstallFolders(instead, installer);
    expect(await readdir(join(instead, "cache"))).toEqual([]);
    expect(await readdir(elsewhere)).toEqual(["file"]);
    expect((await stat(elsewhere)).uid).toBe(0);
  });
});
