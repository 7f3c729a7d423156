import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { giveToInstaller, showToInstaller } from "../../isolation/installer-files.ts";
import type { Isolation } from "../../isolation/open-isolation.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import { createRedact } from "../../process/redact.ts";
import type { NpmSettings } from "../../settings.ts";
import { letLaunchesRead } from "../let-launches-read.ts";
import { type CommandEnd, runCommand } from "../run-command.ts";
import { installArgv, npmEnvironment, type NpmFiles, type NpmTerms } from "./npm-command.ts";

interface Installation {
  readonly spec: string;
  /** An empty package folder. */
  readonly folder: string;
  readonly files: NpmFiles;
  readonly npm: NpmSettings;
  readonly terms: NpmTerms;
  /** null = npm runs as the host's own user. */
  readonly isolation: Isolation | null;
  readonly watcher: GroupWatcher;
  /** Aborting kills npm. */
  readonly signal: AbortSignal;
}

/**
 * Installs one package into a folder.
 * @throws GatewayError INSTALL_FAILED with the end of npm's own account, or the signal's reason.
 */
export async function runNpm(installation: Installation): Promise<void> {
  const { npm, files, folder, isolation, signal, watcher } = installation;
  const argv = installArgv(npm.cli, installation.spec);
  const own = isolation === null ? {} : await asInstaller(installation, isolation);
  const end = await runCommand({
    argv: isolation === null ? argv : isolation.limit.installer(argv),
    cwd: folder,
    environment: npmEnvironment(npm, files, installation.terms),
    ...own,
    watcher,
    signal,
  });
  if (end.code !== 0) throw failed(installation, end);
  if (isolation !== null) await letLaunchesRead(folder, isolation.installer);
}

/** npm's two files stay the host's: what else runs as the installer cannot steer npm by them. */
async function asInstaller({ files, folder }: Installation, { installer }: Isolation) {
  await showToInstaller(files.home, [files.userConfig, files.globalConfig], installer);
  await giveToInstaller(folder, installer);
  return { identity: installer };
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
