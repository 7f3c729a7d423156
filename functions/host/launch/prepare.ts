import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import type { Argv } from "../process/spawn-server.ts";

/** A launch whose program is on this machine and can be started directly. */
export interface PreparedLaunch {
  readonly launch: Launch;
  readonly argv: Argv;
  /** How the config would write it, without arguments: `npx @scope/name@1.0.0`. */
  readonly command: string;
}

/** Gets a launch ready; `signal` ends the wait, not the work that other callers may share. */
export type Prepare = (launch: Launch, signal: AbortSignal) => Promise<PreparedLaunch>;

/** The runners of this host; one that is missing is answered with LAUNCHER_UNAVAILABLE. */
export type Runners = Readonly<Partial<Record<Launch["runner"], Prepare>>>;

/** @throws GatewayError LAUNCHER_UNAVAILABLE, and whatever the runner's own file tells. */
export async function prepareLaunch(
  runners: Runners,
  launch: Launch,
  signal: AbortSignal,
): Promise<PreparedLaunch> {
  const prepare = runners[launch.runner];
  if (prepare !== undefined) return prepare(launch, signal);
  const here = Object.keys(runners).join(", ");
  throw new GatewayError("LAUNCHER_UNAVAILABLE", `This host runs no ${launch.runner} servers.`, {
    hint: `This host runs: ${here}. Use one of these, or ask the operator for a host that has ${launch.runner}.`,
    details: { runner: launch.runner },
  });
}
