import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "./identity.ts";
import { processesOf } from "./processes-of.ts";

const maxRounds = 40;
const roundMs = 10;
/** What it kills may stop the killer first. */
const killerMs = 1000;

/**
 * Ends everything that runs under an identity, wherever it has gone; false when some is left.
 * `kill -1` as that identity reaches all of it at one moment, so that no fork escapes; what would
 * kill the killer is ended one by one.
 */
export async function endIdentity(identity: Identity): Promise<boolean> {
  for (let round = 0; round < maxRounds; round += 1) {
    await killAll(identity);
    const left = await processesOf(identity.uid);
    if (left.length === 0) return true;
    for (const pid of left) kill(pid);
    await sleep(roundMs);
  }
  return false;
}

function killAll({ uid, gid }: Identity): Promise<void> {
  const killer = spawn("/bin/sh", ["-c", "kill -KILL -1"], {
    uid,
    gid,
    cwd: "/",
    env: {},
    stdio: "ignore",
    detached: true,
    timeout: killerMs,
    killSignal: "SIGKILL",
  });
  return new Promise((resolve) => {
    killer.once("error", () => resolve());
    killer.once("exit", () => resolve());
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
