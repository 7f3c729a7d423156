import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where `npm start` keeps what outlives it, and what its children read. Readable by the owner only. */
export interface StateFolder {
  /** The development key, reused between starts. */
  readonly keyFile: string;
  /** Optional: `GW_SECRET_*` variables in dotenv form. */
  readonly secretsFile: string;
  readonly logs: string;
  /** Cache and working folders of the host. */
  readonly host: string;
  /** Files of this start; two starts side by side have different ports. */
  readonly run: string;
}

/** Makes the folders under `top`. */
export function openStateFolder(top: string, port: number): StateFolder {
  const state = {
    keyFile: join(top, "dev-key"),
    secretsFile: join(top, "secrets.env"),
    logs: join(top, "logs"),
    host: join(top, "host"),
    run: join(top, `run-${port}`),
  };
  for (const folder of [top, state.logs, state.host, state.run]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  return state;
}

/** Writes a file that only its owner can read, also where it was readable before. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
