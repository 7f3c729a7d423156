import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeTree } from "../../../functions/host/isolation/remove-tree.ts";

/** Puts a link in the place of a folder as soon as the first file of it is gone. */
const swapper = `
  import { existsSync, renameSync, symlinkSync } from "node:fs";
  const [inner, target] = process.argv.slice(-2);
  console.log("ready");
  while (existsSync(inner + "/a0"));
  renameSync(inner, inner + "-moved");
  symlinkSync(target, inner);
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-removal-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("removes nothing elsewhere, whatever is moved meanwhile", async () => {
  const [leaving, target] = [join(folder, "leaving"), join(folder, "target")];
  const inner = join(leaving, "inner");
  await mkdir(inner, { recursive: true });
  await mkdir(target);
  await writeFile(join(target, "z"), "");
  for (let file = 0; file < 20_000; file += 1) await writeFile(join(inner, `a${file}`), "");
  await writeFile(join(inner, "z"), "");
  const args = ["--input-type=module", "--eval", swapper, "--", inner, target];
  const other = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(other, "exit");
  await once(other.stdout, "data");
  expect(await removeTree(leaving)).toBe(true);
  await ended;
  expect(existsSync(leaving)).toBe(false);
  expect(await readdir(target)).toEqual(["z"]);
});
