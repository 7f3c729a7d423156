import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import { createRedact } from "../../process/redact.ts";
import type { NpmSettings } from "../../settings.ts";
import { type CommandEnd, runCommand } from "../run-command.ts";
import { installArgv, npmEnvironment, type NpmFiles, type NpmTerms } from "./npm-command.ts";

interface Installation {
  readonly spec: string;
  /** An empty package folder. */
  readonly folder: string;
  readonly files: NpmFiles;
  readonly npm: NpmSettings;
  readonly terms: NpmTerms;
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
  const end = await runCommand({
    argv: installArgv(npm.cli, installation.spec),
    cwd: folder,
    environment: npmEnvironment(npm, files, installation.terms),
    watcher: installation.watcher,
    signal,
  });
  if (end.code !== 0) throw failed(installation, end);
}

function failed({ spec, npm }: Installation, { code, stderr }: CommandEnd): GatewayError {
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
