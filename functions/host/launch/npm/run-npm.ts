import { spawn } from "node:child_process";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import { signalGroup } from "../../process/process-group.ts";
import { createRedact } from "../../process/redact.ts";
import { StderrTail } from "../../process/stderr-tail.ts";
import type { NpmSettings } from "../../settings.ts";
import { installArgv, npmEnvironment, type NpmFiles } from "./npm-command.ts";

interface Installation {
  readonly spec: string;
  /** An empty package folder. */
  readonly folder: string;
  readonly files: NpmFiles;
  readonly npm: NpmSettings;
  readonly watcher: GroupWatcher;
  /** Aborting kills npm. */
  readonly signal: AbortSignal;
}

/**
 * Installs one package into a folder.
 * @throws GatewayError INSTALL_FAILED with the end of npm's own account, or the signal's reason.
 */
export async function runNpm(installation: Installation): Promise<void> {
  const { npm, files, folder, signal } = installation;
  signal.throwIfAborted();
  const [program, ...args] = installArgv(npm.cli, installation.spec);
  const child = spawn(program, args, {
    cwd: folder,
    env: npmEnvironment(npm, files),
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = new StderrTail();
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const group = child.pid;
  const kill = () => group !== undefined && signalGroup(group, "SIGKILL");
  if (group !== undefined) installation.watcher.add(group);
  signal.addEventListener("abort", kill, { once: true });
  const code = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (exitCode, killedBy) => resolve(exitCode ?? String(killedBy)));
  });
  signal.removeEventListener("abort", kill);
  if (group !== undefined) installation.watcher.remove(group);
  signal.throwIfAborted();
  if (code !== 0) throw failed(installation, code, stderr);
}

function failed(
  { spec, npm }: Installation,
  code: number | string,
  stderr: StderrTail,
): GatewayError {
  const stderrTail = stderr.read(
    createRedact({ secrets: registryCredentials(npm.registry), plain: [] }),
  );
  const reason = /npm error code (\w+)/.exec(stderrTail)?.[1];
  const told = reason === undefined ? `npm ended with ${code}` : `npm answered ${reason}`;
  return new GatewayError(
    "INSTALL_FAILED",
    `The package ${spec} could not be installed: ${told}.`,
    {
      details: {
        package: spec,
        exit_code: code,
        npm_code: reason ?? null,
        stderr_tail: stderrTail,
      },
    },
  );
}

function registryCredentials(registry: string | null): string[] {
  if (registry === null) return [];
  const { username, password } = new URL(registry);
  return [username, password].filter((part) => part !== "");
}
