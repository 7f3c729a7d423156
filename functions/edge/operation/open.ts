import type { Endpoint, HostedLaunch } from "./guard.ts";
import { openEndpoint } from "./open-endpoint.ts";
import { openLaunch } from "./open-launch.ts";
import type { OpenServer } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";

/** Opens a server of either kind. */
export async function open(
  target: Endpoint | HostedLaunch,
  resolved: ResolvedServer,
  context: OperationContext,
): Promise<OpenServer> {
  return target.kind === "launch"
    ? openLaunch(target, resolved, context)
    : openEndpoint(target, resolved, context);
}
