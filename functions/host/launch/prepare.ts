import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import type { Isolation } from "../isolation/open-isolation.ts";
import type { Log } from "../log.ts";
import type { HostMetrics } from "../metrics/host-metrics.ts";
import type { GroupWatcher } from "../process/group-watcher.ts";
import type { PackageRoom } from "./cache/package-room.ts";
import type { Argv } from "../process/spawn-server.ts";

/** A launch whose program is on this machine and can be started directly. */
export interface PreparedLaunch {
  readonly launch: Launch;
  readonly argv: Argv;
  /** How the config would write it, without arguments: `npx @scope/name@1.0.0`. */
  readonly command: string;
  /** Variables that steer the program itself; they win over the launch's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Keeps what the process needs (its package on the disk, its folders) until what it returns is
   * called; for as long as a process runs. @throws GatewayError when it cannot be had
   */
  readonly hold?: () => () => void;
  /** The error of a start that failed, with what is known of the package besides. */
  readonly explainStart?: (error: GatewayError) => Promise<GatewayError>;
  /** Removes what a process leaves outside of its group and folders; called once, at its end. */
  readonly cleanUp?: () => Promise<void>;
}

/** Gets a launch ready; `signal` ends the wait, not the work that other callers may share. */
export type Prepare = (launch: Launch, signal: AbortSignal) => Promise<PreparedLaunch>;

/** What each runner does on this host; one that it lacks answers LAUNCHER_UNAVAILABLE. */
export type Runners = Readonly<Record<Launch["runner"], Prepare>>;

/** @throws GatewayError whatever the runner's own file tells. */
export async function prepareLaunch(
  runners: Runners,
  launch: Launch,
  signal: AbortSignal,
): Promise<PreparedLaunch> {
  return runners[launch.runner](launch, signal);
}

/** A runner that is ready for launches. */
export interface OpenRunner {
  readonly prepare: Prepare;
  /** Ends installations that run. */
  readonly endInstalls: () => Promise<void>;
  /** Removes what its processes have left; called after the last one's end. */
  readonly close: () => Promise<void>;
}

/** What runners share with the rest of the host. */
export interface RunnerDependencies {
  /** The host's own folder for what lives no longer than it does. */
  readonly instanceFolder: string;
  readonly watcher: GroupWatcher;
  /** null = installers and launches run as the host's own user. */
  readonly isolation: Isolation | null;
  /** The disk that packages may take. */
  readonly room: PackageRoom;
  readonly log: Log;
  readonly metrics: HostMetrics;
  readonly now: () => number;
}

/** What a runner does where it has nothing to do. */
export const nothing = async (): Promise<void> => undefined;

/** A runner that answers every launch with the same error. */
export function unavailable(error: GatewayError): OpenRunner {
  const prepare = async () => {
    throw error;
  };
  return { prepare, endInstalls: nothing, close: nothing };
}

/** This host does not run such servers; `why` ends a sentence, the remedy is the operator's. */
export function launcherUnavailable(
  runner: Launch["runner"],
  why: string,
  remedy: string,
): GatewayError {
  return new GatewayError("LAUNCHER_UNAVAILABLE", `This host runs no ${runner} servers: ${why}.`, {
    hint: `${remedy}, or name a host that runs ${runner} servers under \`hosts\` in the deployment file.`,
    details: { runner },
  });
}
