import { mkdir } from "node:fs/promises";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { PlaceDependencies } from "../../process/process-place.ts";
import { createRedact } from "../../process/redact.ts";
import { openInstallPlace } from "../install-place.ts";
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
  readonly place: PlaceDependencies;
  /** Aborting kills uv. */
  readonly signal: AbortSignal;
}

/**
 * Installs one Python package into a folder.
 * @throws GatewayError INSTALL_FAILED with the end of uv's own account, or the signal's reason.
 */
export async function runUv(installation: UvInstallation): Promise<void> {
  const { uv, settings, spec, root, folder, signal, place: deps } = installation;
  const place = await openInstallPlace({ folder, root, runsCode: settings.build }, deps);
  try {
    const folders = uvFolders(place.root, folder);
    await mkdir(folders.home, { recursive: true, mode: 0o700 });
    await place.give(folders.home);
    const end = await runCommand({
      argv: place.limit(uvInstallArgv(uv, spec)),
      identity: place.identity,
      cwd: folder,
      environment: uvEnvironment(settings, folders, installation.before),
      watcher: deps.watcher,
      signal,
    });
    if (end.code !== 0) throw failed(installation, end);
    await place.finish(folder);
  } finally {
    await place.leave();
  }
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
