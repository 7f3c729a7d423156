import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { endIdentity } from "../../../functions/host/isolation/end-identity.ts";
import { identityOf } from "../../../functions/host/isolation/identity.ts";
import { processesOf } from "../../../functions/host/isolation/processes-of.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

/** Of no host's range. */
const identity = identityOf(48_211);
const looks = 40;

/** Kills whatever runs under its id, goes on under a new pid, and does so again, for a minute. */
const chain = `
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
last = time.monotonic() + 60
while time.monotonic() < last:
    if os.fork(): os._exit(0)
    os.kill(-1, signal.SIGKILL)
`;

async function seen(): Promise<number> {
  let count = 0;
  for (let look = 0; look < looks; look += 1) count += (await processesOf(identity.uid)).length;
  return count;
}

describe.skipIf(whyNotIsolated() !== null)("what runs under an identity", () => {
  afterAll(() => endIdentity(identity));

  it("has ended when that is told, although it kills its killers and is never where it was seen", async () => {
    const options = { ...identity, cwd: "/", env: {}, detached: true } as const;
    for (let round = 0; round < 5; round += 1) {
      const attacker = spawn("/usr/bin/python3", ["-c", chain], { ...options, stdio: "ignore" });
      await once(attacker, "exit");
      expect(await seen()).toBeGreaterThan(0);
      expect(await endIdentity(identity)).toBe(true);
      expect(await seen()).toBe(0);
    }
  });
});
