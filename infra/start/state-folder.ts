import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./start-error.ts";

/** Where `npm start` keeps what outlives it, and what its children read. Readable by the owner only. */
export interface StateFolder {
  /** The development key, reused between starts. */
  readonly keyFile: string;
  /** Optional: `GW_SECRET_*` variables in dotenv form. */
  readonly secretsFile: string;
  readonly logs: string;
  /** Cache and working folders of the host. */
  readonly host: string;
  /** Files of this start alone, also where another one is after the same port. */
  readonly run: string;
}

/**
 * Makes the folders under `top` for a start in the process `pid`, and removes those of dead ones.
 * @throws StartError where that cannot be.
 */
export function openStateFolder(top: string, pid: number): StateFolder {
  const state = {
    keyFile: join(top, "dev-key"),
    secretsFile: join(top, "secrets.env"),
    logs: join(top, "logs"),
    host: join(top, "host"),
    run: join(top, `run-${pid}`),
  };
  try {
    for (const folder of [top, state.logs, state.host, state.run]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
    }
    removeDeadRuns(top);
  } catch (cause) {
    throw new StartError(
      `The state folder ${top} cannot be used (${codeOf(cause)}): make it one of your own, or choose another with \`npm start -- --state FOLDER\`.`,
      { cause },
    );
  }
  return state;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** They hold secrets, and were left by a start that was killed together with its watcher. */
function removeDeadRuns(top: string): void {
  for (const name of readdirSync(top)) {
    const [, pid] = /^run-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(top, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Writes a file that only its owner can read, also where it was readable before. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
