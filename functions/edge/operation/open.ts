import type { Endpoint, HostedLaunch } from "./guard.ts";
import { openEndpoint } from "./open-endpoint.ts";
import { openLaunch } from "./open-launch.ts";
import type { OpenServer, SessionWish } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";
import type { ServerEvents } from "./server-events.ts";

/** What the stages before have found out about a server. */
export interface Opening {
  readonly resolved: ResolvedServer;
  readonly events: ServerEvents;
  readonly wish: SessionWish;
  /** Forms of a remote server of the legacy era are filled in by their defaults. */
  readonly fillsForms: boolean;
  readonly context: OperationContext;
}

/** Opens a server of either kind. */
export async function open(target: Endpoint | HostedLaunch, opening: Opening): Promise<OpenServer> {
  return target.kind === "launch" ? openLaunch(target, opening) : openEndpoint(target, opening);
}
