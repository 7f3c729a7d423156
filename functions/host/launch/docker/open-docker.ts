import { join } from "node:path";
import type { HostSettings } from "../../settings.ts";
import { prepareDocker } from "../docker.ts";
import {
  launcherUnavailable,
  type OpenRunner,
  type RunnerDependencies,
  unavailable,
} from "../prepare.ts";
import { SharedInstalls } from "../shared-installs.ts";
import { Containers } from "./containers.ts";
import { DockerCli } from "./docker-cli.ts";
import { Images } from "./images.ts";
import { MountsInUse } from "./mounts-in-use.ts";

/** An engine pulls the layers of one image at the same time. */
const pullsAtOnce = 3;

/** Makes `docker` servers possible, and sweeps what a dead host has left on the engine. */
export function openDocker(
  { dataDir, docker: settings, npm }: HostSettings,
  { watcher, instanceFolder, log, metrics, now }: RunnerDependencies,
): OpenRunner {
  const { cli: path, engine } = settings;
  if (path === null) return unavailable(noCommand());
  if (engine === null) return unavailable(noEngine());
  const root = join(dataDir, "docker");
  const cli = new DockerCli({ cli: path, engine, settings, root, watcher });
  const installs = new SharedInstalls<void>({
    atOnce: pullsAtOnce,
    maxMs: npm.maxInstallMs,
    runner: "docker",
    log,
    metrics,
    now,
  });
  const images = new Images({ cli, engine, pull: settings.pull, installs, metrics });
  const containers = new Containers({ cli, root, instanceFolder, log });
  void containers.sweep();
  return {
    prepare: prepareDocker({ cli, images, containers, mountsInUse: new MountsInUse(), settings }),
    endInstalls: () => installs.close(),
    close: () => containers.close(),
  };
}

const noCommand = () =>
  launcherUnavailable(
    "docker",
    "it has no docker command",
    "Install the docker command on the host, set GANGWAY_HOST_DOCKER_CLI to its path",
  );

const noEngine = () =>
  launcherUnavailable(
    "docker",
    "its operator has switched them off",
    "Set GANGWAY_HOST_DOCKER_ENGINE to an engine",
  );
