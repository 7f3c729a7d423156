import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { SettingsError } from "../setting-readers.ts";
import type { Identity } from "./identity.ts";
import type { SocketAddress } from "./isolation-settings.ts";
import type { LimitCommand } from "./limit-launch.ts";
import { readRights } from "./process-rights.ts";

const program = new URL("./trial-launch-program.mjs", import.meta.url);
const trialMs = 10_000;

const answerSchema = z.object({
  /** The text of its own /proc/self/status. */
  status: z.string(),
  /** The metadata address took a connection. */
  metadata: z.boolean(),
});

export interface Trial {
  readonly identity: Identity;
  readonly limit: LimitCommand;
  readonly instanceFolder: string;
  /** null = nobody looks. */
  readonly metadata: SocketAddress | null;
}

/**
 * Starts Node once as launches are started, and has it tell what it is and what it reaches.
 * @throws SettingsError when it cannot be started, has rights left, or reaches the cloud's metadata.
 */
export function tryLaunch({ identity, limit, instanceFolder, metadata }: Trial): void {
  const folder = mkdtempSync(join(instanceFolder, "trial-"));
  chownSync(folder, identity.uid, identity.gid);
  const [path, ...args] = limit.launch([
    process.execPath,
    "--input-type=module",
    "-",
    folder,
    JSON.stringify(metadata),
  ]);
  const trial = spawnSync(path, args, {
    ...identity,
    cwd: folder,
    env: {},
    input: readFileSync(program),
    encoding: "utf8",
    timeout: trialMs,
    killSignal: "SIGKILL",
  });
  rmSync(folder, { recursive: true, force: true });
  const answer = answerSchema.safeParse(parse(trial.stdout));
  if (trial.status !== 0 || !answer.success) throw cannotStart(trial.stderr);
  checkRights(answer.data.status, identity);
  if (answer.data.metadata && metadata !== null) throw reachesMetadata(metadata);
}

function checkRights(status: string, { uid, gid }: Identity): void {
  const rights = readRights(status);
  const isOther = rights.uid !== uid || rights.gid !== gid || rights.groups.length > 0;
  if (!isOther && rights.noNewPrivileges && rights.permitted.length === 0) return;
  throw new SettingsError(
    "A trial launch keeps rights of the host; use a kernel and a container runtime that let setpriv work.",
  );
}

function cannotStart(stderr: string | null): SettingsError {
  const last = (stderr ?? "").trim().split("\n").at(-1) || "no message";
  return new SettingsError(
    `A trial launch could not run ${process.execPath} (${last}); install Node where every user may run it, and set GANGWAY_HOST_DATA_DIR to a folder in folders that every user may pass (mode 0711 or 0755).`,
  );
}

function reachesMetadata({ host, port }: SocketAddress): SettingsError {
  return new SettingsError(
    `Launches reach the cloud's metadata at ${host}:${port}, which gives away the machine's own credentials; block that address for containers or for the user ids of GANGWAY_HOST_LAUNCH_UIDS, or set GANGWAY_HOST_METADATA_ADDRESS=none where what answers there is none.`,
  );
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined; // What was printed instead is in the error.
  }
}
