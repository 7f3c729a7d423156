import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Identity } from "./identity.ts";

const kinds = ["shm", "sem", "msg"];

/**
 * Removes System V shared memory, semaphores and queues of an identity, which outlive their
 * processes; false when some are left. They are removed by their owner: a host has no right to.
 */
export async function clearIpc({ uid, gid }: Identity): Promise<boolean> {
  if (!(await hasIpc(uid))) return true;
  const remover = spawn("/usr/bin/ipcrm", ["--all"], { uid, gid, env: {}, stdio: "ignore" });
  await once(remover, "close").catch(() => undefined);
  return !(await hasIpc(uid));
}

async function hasIpc(uid: number): Promise<boolean> {
  const tables = kinds.map((kind) => readFile(`/proc/sysvipc/${kind}`, "utf8").catch(() => ""));
  return (await Promise.all(tables)).some((table) => ownersIn(table).includes(String(uid)));
}

/** Owners and makers, by the table's own heading. */
function ownersIn(table: string): string[] {
  const [heading = [], ...rows] = table.split("\n").map((line) => line.trim().split(/\s+/));
  const columns = [heading.indexOf("uid"), heading.indexOf("cuid")];
  return rows.flatMap((row) => columns.map((column) => row[column] ?? ""));
}
