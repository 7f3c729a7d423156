import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endIdentity } from "../../../functions/host/isolation/end-identity.ts";
import { identityOf } from "../../../functions/host/isolation/identity.ts";
import { processesOf } from "../../../functions/host/isolation/processes-of.ts";
import { until } from "../../support/host-processes.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

/** Of no host's range. */
const identity = identityOf(48_211);
const looks = 40;

/**
 * Kills whatever runs under its id, goes on under a new pid, and does so again, for a minute.
 * Each life writes a byte: lists of processes may miss it always.
 */
const chain = `
open(my $lives, ">>", $ARGV[0]) or die;
$SIG{CHLD} = "IGNORE";
my $last = time + 60;
while (time < $last) {
  exit if fork;
  syswrite $lives, ".";
  kill "KILL", -1;
}
`;

async function seen(): Promise<number> {
  let count = 0;
  for (let look = 0; look < looks; look += 1) count += (await processesOf(identity.uid)).length;
  return count;
}

describe.skipIf(whyNotIsolated() !== null)("what runs under an identity", () => {
  let folder: string;
  let lives: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gangway-lives-"));
    await chmod(folder, 0o755);
    lives = join(folder, "lives");
    await writeFile(lives, "");
    await chmod(lives, 0o666);
  });
  afterAll(async () => {
    await endIdentity(identity);
    await rm(folder, { recursive: true });
  });
  const lifeCount = async () => (await stat(lives)).size;

  it("has ended when that is told, although it kills its killers and is never where it was seen", async () => {
    const options = { ...identity, cwd: "/", env: {}, detached: true } as const;
    for (let round = 0; round < 5; round += 1) {
      const before = await lifeCount();
      const program = ["-e", chain, lives];
      const attacker = spawn("/usr/bin/perl", program, { ...options, stdio: "ignore" });
      await once(attacker, "exit");
      await until("it lives on", async () => (await lifeCount()) > before + 3);
      expect(await endIdentity(identity)).toBe(true);
      const after = await lifeCount();
      expect(await seen()).toBe(0);
      expect(await lifeCount()).toBe(after);
    }
  });
});
