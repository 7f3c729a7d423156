import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

/**
 * Makes the folder that holds this host's process directories, and removes those that hosts which
 * are gone have left. The name holds the host's pid, so that two hosts may share a data folder.
 */
export function openInstanceFolder(dataDir: string): string {
  const parent = join(dataDir, "instances");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number.parseInt(name, 10)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${process.pid}-${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Our own pid is no sign of life: in containers every host has the same. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
