import { mkdir } from "node:fs/promises";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { giveToInstaller } from "../../isolation/installer-files.ts";
import type { Isolation } from "../../isolation/open-isolation.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import { createRedact } from "../../process/redact.ts";
import { letLaunchesRead } from "../let-launches-read.ts";
import { type CommandEnd, runCommand } from "../run-command.ts";
import { uvEnvironment, uvFolders, uvInstallArgv } from "./uv-command.ts";
import type { UvSettings } from "./uv-settings.ts";

export interface UvInstallation {
  readonly uv: string;
  readonly settings: UvSettings;
  /** As uv takes it: `name[extra]==1.2.3`. */
  readonly spec: string;
  /** Nothing that was published later is installed; null = whatever there is. */
  readonly before: Date | null;
  /** Holds uv's cache; outlives the host. */
  readonly root: string;
  /** An empty folder. */
  readonly folder: string;
  /** null = uv runs as the host's own user. */
  readonly isolation: Isolation | null;
  readonly watcher: GroupWatcher;
  /** Aborting kills uv. */
  readonly signal: AbortSignal;
}

/**
 * Installs one Python package into a folder.
 * @throws GatewayError INSTALL_FAILED with the end of uv's own account, or the signal's reason.
 */
export async function runUv(installation: UvInstallation): Promise<void> {
  const { uv, settings, spec, root, folder, isolation, watcher, signal } = installation;
  const folders = uvFolders(root, folder);
  await mkdir(folders.home, { recursive: true, mode: 0o700 });
  const argv = uvInstallArgv(uv, spec);
  const installer = isolation?.installer ?? null;
  if (installer !== null)
    for (const own of [folders.home, folder]) await giveToInstaller(own, installer);
  const end = await runCommand({
    argv: isolation === null ? argv : isolation.limit.installer(argv),
    identity: installer,
    cwd: folder,
    environment: uvEnvironment(settings, folders, installation.before),
    watcher,
    signal,
  });
  if (end.code !== 0) throw failed(installation, end);
  if (installer !== null) await letLaunchesRead(folder, installer);
}

const wheelsOnly =
  " This host installs wheels only; GANGWAY_HOST_UV_BUILD=1 lets it build packages that have none.";

function failed(
  { spec, settings, before }: UvInstallation,
  { code, stderr }: CommandEnd,
): GatewayError {
  const secrets = indexCredentials(settings.index);
  const stderrTail = stderr.read(createRedact({ secrets, plain: [] }));
  const told = `The package ${spec} could not be installed: uv ended with ${code}.`;
  const young =
    before === null
      ? ""
      : ` Versions after ${before.toISOString()} are not installed: the tenant's policy has \`min_release_age_days\`.`;
  const hint = `Check the package's name and version; details.stderr_tail holds uv's last lines.${young}`;
  return new GatewayError("INSTALL_FAILED", told, {
    hint: settings.build ? hint : hint + wheelsOnly,
    details: { package: spec, exit_code: code, stderr_tail: stderrTail },
  });
}

function indexCredentials(index: string | null): string[] {
  if (index === null) return [];
  const { username, password } = new URL(index);
  return [username, password].filter((part) => part !== "");
}
