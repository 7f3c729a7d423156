import type { Launch } from "../../../../shared/run-contract/contract.ts";
import type { ContainerLimits } from "./docker-settings.ts";

export interface ContainerRun {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: ContainerLimits;
  readonly mounts: readonly Mount[];
  readonly launch: Pick<Launch, "package" | "version" | "args" | "env" | "secret_env">;
}

/** A folder of the machine, its links resolved, as a container sees it. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/**
 * For every container. What the server prints stays out of the engine's logs, since results may be
 * in it; the image is there already, by the host's pull policy.
 */
const hardening =
  "--security-opt no-new-privileges --cap-drop ALL --ulimit core=0 --network bridge --log-driver none --pull never";

/** The image as docker takes it. */
export function imageText({ package: name, version }: Pick<Launch, "package" | "version">): string {
  if (version === null) return name;
  return `${name}${version.startsWith("sha256:") ? "@" : ":"}${version}`;
}

/**
 * The arguments of the docker command for one server's container. Variables stand by name alone:
 * their values are in the command's environment, never in a process list.
 */
export function runArgv({ name, labels, limits, mounts, launch }: ContainerRun): string[] {
  const names = new Set([...Object.keys(launch.env), ...Object.keys(launch.secret_env)]);
  return [
    "run",
    "--rm",
    "-i",
    "--init",
    "--name",
    name,
    ...Object.entries(labels).flatMap(([label, value]) => ["--label", `${label}=${value}`]),
    ...hardening.split(" "),
    ...limitOptions(limits),
    ...mounts.flatMap((mount) => ["--mount", mountText(mount)]),
    ...[...names].flatMap((variable) => ["-e", variable]),
    imageText(launch),
    ...launch.args,
  ];
}

/** As much swap as memory is none at all: docker counts both together. */
function limitOptions({ memoryMb, cpuPercent, processes }: ContainerLimits): string[] {
  const memory = `${memoryMb}m`;
  const cpus = (cpuPercent / 100).toFixed(2);
  return `--pids-limit ${processes} --memory ${memory} --memory-swap ${memory} --cpus ${cpus}`.split(
    " ",
  );
}

/** Unlike -v, a bind mount makes no folder where there is none. */
function mountText({ source, target, readOnly }: Mount): string {
  return `type=bind,source=${source},target=${target}${readOnly ? ",readonly" : ""}`;
}
