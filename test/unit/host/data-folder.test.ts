import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDataFolder } from "../../../functions/host/data-folder.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gangway-data-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("openDataFolder", () => {
  it("makes a folder that is the host's alone, and takes it again", async () => {
    const path = join(root, "a", "b");
    openDataFolder(path);
    openDataFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it("refuses a folder that others may write to", async () => {
    const path = join(root, "open");
    openDataFolder(path);
    await chmod(path, 0o777);
    expect(() => openDataFolder(path)).toThrow(
      /Others may write to the data folder .* GANGWAY_HOST_DATA_DIR/,
    );
  });

  it("says in one line when there can be no such folder", async () => {
    await writeFile(join(root, "file"), "");
    expect(() => openDataFolder(join(root, "file", "below"))).toThrow(
      /cannot be made \(ENOTDIR\); set GANGWAY_HOST_DATA_DIR/,
    );
  });
});
