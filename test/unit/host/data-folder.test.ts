import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder } from "../../../functions/host/data-folder.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gangway-data-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Opens it as a host in production; answers what was warned of. */
function open(path: string, development = false): unknown[] {
  const warnings: unknown[] = [];
  openDataFolder(path, { development, log: { warn: (told: unknown) => void warnings.push(told) } });
  return warnings;
}

describe("openDataFolder", () => {
  it("makes a folder that is the host's alone, and takes it again", async () => {
    const path = join(root, "a", "b");
    open(path);
    open(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it("refuses a folder that others may write to", async () => {
    const path = join(root, "open");
    open(path);
    await chmod(path, 0o777);
    expect(() => open(path)).toThrow(
      /Others may write to the data folder .* GANGWAY_HOST_DATA_DIR/,
    );
  });

  it("says in one line when there can be no such folder", async () => {
    await writeFile(join(root, "file"), "");
    expect(() => open(join(root, "file", "below"))).toThrow(
      /cannot be made \(ENOTDIR\); set GANGWAY_HOST_DATA_DIR/,
    );
  });

  it.each<[string, string, () => Promise<unknown>]>([
    [
      "a folder above that everybody may write to",
      "everybodys/a/b",
      () => folder("everybodys", 0o777),
    ],
    ["one further above", "far/a/b/c/d", () => folder("far", 0o777)],
    [
      "a folder that a link leads through",
      "link/a",
      async () => {
        await folder("through", 0o777);
        await mkdir(join(root, "through/own"), { mode: 0o700 });
        await symlink("through/own", join(root, "link"));
      },
    ],
  ])(
    "refuses one that others may replace, by %s; in development it warns",
    async (_what, path, make) => {
      await make();
      const told = /Others may put another data folder .*sticky/;
      expect(() => open(join(root, path))).toThrow(told);
      expect(open(join(root, path), true)).toEqual([expect.stringMatching(told)]);
    },
  );

  it("takes one below a folder of everybody's that has the sticky bit", async () => {
    await folder("sticky", 0o1777);
    expect(open(join(root, "sticky/data"))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)(
    "refuses one below a folder of another user's or group's",
    async () => {
      await folder("user", 0o755);
      await chown(join(root, "user"), 30_001, 0);
      expect(() => open(join(root, "user/data"))).toThrow(/they may write to .*user;/);
      await folder("group", 0o775);
      await chown(join(root, "group"), 0, 30_001);
      expect(() => open(join(root, "group/data"))).toThrow(/they may write to .*group;/);
      await chmod(join(root, "group"), 0o755);
      expect(open(join(root, "group/data"))).toEqual([]);
    },
  );
});

/** Made with that very mode, whatever the umask is. */
async function folder(name: string, mode: number): Promise<void> {
  await mkdir(join(root, name));
  await chmod(join(root, name), mode);
}
