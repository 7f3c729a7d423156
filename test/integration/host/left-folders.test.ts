import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Identity, identityOf } from "../../../functions/host/isolation/identity.ts";
import { IdentityPool } from "../../../functions/host/isolation/identity-pool.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

/** Of no host's range. */
const [ended, other] = [identityOf(48_221), identityOf(48_222)];

/** Makes folders in a folder, and says so when there are some, for as long as it may. */
const byPath = `
  const [folder] = process.argv.slice(-1);
  for (let made = 0; ; made += 1) {
    try { mkdirSync(folder + "/" + process.pid + "-" + made); } catch {}
    if (made === 100) console.log("there");
  }
`;

/** The same from the inside: it needs no path to it. */
const fromInside = `
  const [folder] = process.argv.slice(-1);
  process.chdir(folder);
  for (let made = 0; ; made += 1) {
    try { mkdirSync(process.pid + "-" + made); } catch {}
    if (made === 100) console.log("there");
  }
`;

async function write(program: string, folder: string, as: Identity): Promise<ChildProcess> {
  const args = ["--eval", `const { mkdirSync } = require("node:fs");${program}`, "--", folder];
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const child = spawn(process.execPath, args, { ...as, cwd: "/", stdio: [...stdio] });
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

describe.skipIf(whyNotIsolated() !== null)("what a launch has left open to others", () => {
  const pool = new IdentityPool([ended.uid, other.uid]);
  let around: string;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    around = await mkdtemp(join(tmpdir(), "gangway-left-"));
    await chmod(around, 0o755);
  });
  afterAll(() => rm(around, { recursive: true, force: true }));
  afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));
  beforeEach(async () => {
    folder = await mkdtemp(join(around, "of-a-launch-"));
    await mkdir(join(folder, "inner"));
    for (const path of [join(folder, "inner"), folder]) {
      await chmod(path, 0o777);
      await chown(path, ended.uid, ended.gid);
    }
  });

  it.each([
    ["by its path", byPath, "."],
    ["from the inside", fromInside, "inner"],
  ])("is removed although another launch fills it all the time, %s", async (_how, program, at) => {
    for (let count = 0; count < 3; count += 1)
      children.push(await write(program, join(folder, at), other));
    expect(await pool.remove(folder)).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });
});
