import { mkdir, writeFile } from "node:fs/promises";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { PlaceDependencies } from "../../process/process-place.ts";
import { createRedact } from "../../process/redact.ts";
import type { NpmSettings } from "../../settings.ts";
import { type InstallPlace, openInstallPlace } from "../install-place.ts";
import { type CommandEnd, runCommand } from "../run-command.ts";
import {
  installArgv,
  npmEnvironment,
  type NpmFiles,
  npmFiles,
  type NpmTerms,
} from "./npm-command.ts";

interface Installation {
  readonly spec: string;
  /** An empty package folder. */
  readonly folder: string;
  /** Holds npm's home and cache; outlives the host. */
  readonly root: string;
  readonly npm: NpmSettings;
  readonly terms: NpmTerms;
  readonly place: PlaceDependencies;
  /** Aborting kills npm. */
  readonly signal: AbortSignal;
}

/**
 * Installs one package into a folder.
 * @throws GatewayError INSTALL_FAILED with the end of npm's own account, or the signal's reason.
 */
export async function runNpm(installation: Installation): Promise<void> {
  const { npm, root, folder, terms, signal, place: deps } = installation;
  const place = await openInstallPlace({ folder, root, runsCode: terms.scripts }, deps);
  try {
    const files = npmFiles(place.root);
    await writeConfig(files, place);
    const end = await runCommand({
      argv: place.limit(installArgv(npm.cli, installation.spec)),
      cwd: folder,
      environment: npmEnvironment(npm, files, terms),
      identity: place.identity,
      watcher: deps.watcher,
      signal,
    });
    if (end.code !== 0) throw failed(installation, end);
    await place.finish(folder);
  } finally {
    await place.leave();
  }
}

async function writeConfig(
  { home, userConfig, globalConfig }: NpmFiles,
  place: InstallPlace,
): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await Promise.all([writeFile(userConfig, ""), writeFile(globalConfig, "")]);
  await place.showHome(home, [userConfig, globalConfig]);
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
