import { mkdir, mkdtemp, realpath, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MountsInUse } from "../../../../functions/host/launch/docker/mounts-in-use.ts";

let root = "";
let mounts: MountsInUse;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gangway-in-use-")));
  await mkdir(join(root, "x", "d"), { recursive: true });
  await mkdir(join(root, "x-beside"));
  mounts = new MountsInUse();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const take = (path: string, readOnly: boolean) =>
  mounts.take([{ source: join(root, path), target: "/data", readOnly }]);
const refused = expect.objectContaining({ code: "LAUNCH_NOT_ALLOWED" });

describe("MountsInUse", () => {
  it("refuses a folder in one that another container may write to, until that one's end", () => {
    const giveBack = take("x", false);
    expect(() => take("x/d", true)).toThrow(refused);
    giveBack();
    take("x/d", true);
  });

  it("refuses to let a container write around a folder that another has", () => {
    take("x/d", true);
    expect(() => take("x", false)).toThrow(refused);
  });

  it("takes the same folder, folders beside each other, and any below one that is only read", () => {
    take("x", false);
    take("x", false);
    expect(take("x-beside", false)).toBeTypeOf("function");
    mounts = new MountsInUse();
    take("x", true);
    expect(take("x/d", false)).toBeTypeOf("function");
  });

  it("keeps a folder for as long as any of its containers runs", () => {
    const first = take("x", false);
    take("x", false);
    first();
    expect(() => take("x/d", true)).toThrow(refused);
  });

  it("refuses a folder that has become a link since it was resolved", async () => {
    await rename(join(root, "x", "d"), join(root, "x", "before"));
    await symlink("/", join(root, "x", "d"));
    expect(() => take("x/d", true)).toThrow(refused);
    expect(() => take("x/missing", true)).toThrow(refused);
  });
});
