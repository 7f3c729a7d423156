import type { Launch } from "../../../shared/run-contract/contract.ts";
import { launchNotAllowed } from "./check-launch.ts";
import { describeCommand } from "./command-args.ts";
import type { Containers } from "./docker/containers.ts";
import type { DockerCli } from "./docker/docker-cli.ts";
import type { DockerSettings } from "./docker/docker-settings.ts";
import type { Images } from "./docker/images.ts";
import type { MountsInUse } from "./docker/mounts-in-use.ts";
import { resolveMounts } from "./docker/resolve-mounts.ts";
import { imageText, runArgv } from "./docker/run-argv.ts";
import type { Prepare } from "./prepare.ts";

/** Variables that the docker command itself obeys: with them a config would steer the host's own program. */
const obeyedByCommand =
  /^(?:GODEBUG|GOTRACEBACK|GOMAXPROCS|GOGC|GOMEMLIMIT|GOCOVERDIR|(?:HTTPS?|ALL|NO)_PROXY)$/i;

export interface DockerParts {
  readonly cli: DockerCli;
  readonly images: Images;
  readonly containers: Containers;
  readonly mountsInUse: MountsInUse;
  readonly settings: Pick<DockerSettings, "limits" | "volumeRoots">;
}

/**
 * `docker` servers: the image is there first, then the docker command runs one container and
 * carries its stdin and stdout. The container is removed by name at the end of the command,
 * whatever ended it: killing the command does not end a container.
 */
export function prepareDocker({
  cli,
  images,
  containers,
  mountsInUse,
  settings,
}: DockerParts): Prepare {
  return async (launch, signal) => {
    refuseSteering(launch);
    const resolve = () => resolveMounts(launch.volumes ?? [], settings.volumeRoots);
    await resolve(); // What is refused is not pulled.
    await images.ensure(imageText(launch), signal);
    const mounts = await resolve(); // A pull takes minutes, in which folders may be replaced.
    const { name, labels } = containers.plan();
    return {
      launch,
      argv: cli.argv(...runArgv({ name, labels, limits: settings.limits, mounts, launch })),
      command: describeCommand(launch),
      environment: cli.steering,
      hold: () => mountsInUse.take(mounts),
      cleanUp: () => containers.remove(name),
    };
  };
}

function refuseSteering({ env, secret_env }: Launch): void {
  const name = Object.keys({ ...env, ...secret_env }).find((one) => obeyedByCommand.test(one));
  if (name === undefined) return;
  throw launchNotAllowed({
    reason: "env-name-reserved",
    message: `The environment variable ${name} cannot be handed to a container: the docker command obeys it itself.`,
    hint: "Set it in the image, or hand the setting to the server under another name.",
  });
}
