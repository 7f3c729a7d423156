import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Identity } from "./identity.ts";
import { processesOf } from "./processes-of.ts";

const maxRounds = 100;
const roundMs = 10;
/** What it kills may stop the killer first. */
const killerMs = 1000;

/**
 * Ends everything that runs under an identity, wherever it has gone; false when some may be left.
 * `kill -1` as that identity reaches all of it at one moment, so that no fork escapes: only a
 * killer that has done so tells that nothing is left. A list of processes does not: what forks and
 * ends all the time is under another pid by then. What would kill the killer is ended one by one.
 */
export async function endIdentity(identity: Identity): Promise<boolean> {
  let reached = false;
  for (let round = 0; round < maxRounds; round += 1) {
    reached ||= await killAll(identity);
    const left = await processesOf(identity.uid);
    if (reached && left.length === 0) return true;
    for (const pid of left) kill(pid);
    await sleep(roundMs);
  }
  return false;
}

/** Whether the killer came through: one that was killed itself may have reached nobody. */
function killAll({ uid, gid }: Identity): Promise<boolean> {
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
    killer.once("error", () => resolve(false));
    // Where there is nobody to kill, the shell says so by 1.
    killer.once("exit", (code) => resolve(code === 0 || code === 1));
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
