import { sha256Hex } from "../../../shared/api/api-key.ts";
import type { Capabilities } from "../../../shared/api/request-fields.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { isJsonObject } from "../../../shared/mcp/json.ts";
import type { ListMethod } from "../../../shared/mcp/operation.ts";
import { authorise } from "./authorise.ts";
import { guard } from "./guard.ts";
import type { ScopedServer } from "./load.ts";
import { open } from "./open.ts";
import type { OpenServer, SessionWish } from "./open-server.ts";
import { apart, type OperationContext, timed } from "./operation-context.ts";
import { redactError } from "./redact-error.ts";
import { type ResolvedServer, resolve } from "./resolve.ts";
import { requireUsable, type UsableServer } from "./select.ts";
import { type ChangedList, ServerEvents } from "./server-events.ts";
import { sessionWish } from "./session-handle.ts";

/** What the request says about the use of its servers. */
export interface ServerUse {
  readonly inputs: Readonly<Record<string, string>>;
  /** `options.session` */
  readonly session?: string | undefined;
  /** `options.capabilities` */
  readonly capabilities?: Capabilities;
}

/** A server that has passed every check and is ready for operations. */
export interface PreparedServer {
  readonly server: UsableServer;
  readonly resolved: ResolvedServer;
  /** SHA-256 of source and config, references expanded: equal for equal access to equal servers. */
  readonly identity: string;
  readonly wish: SessionWish;
  readonly events: ServerEvents;
  readonly open: OpenServer;
  /** Milliseconds by stage. */
  readonly timings: ReadonlyMap<string, number>;
}

/** The stages between choosing a server and running operations on it, in their order. */
export function prepare(
  scoped: ScopedServer,
  use: ServerUse,
  context: OperationContext,
): Promise<PreparedServer> {
  return apart(context, (own) => prepareApart(scoped, use, own));
}

async function prepareApart(
  scoped: ScopedServer,
  use: ServerUse,
  context: OperationContext,
): Promise<PreparedServer> {
  const server = requireUsable(scoped);
  authorise(server, context);
  const wish = await sessionWish(server, use.session, context);
  const resolved = await timed(context, "resolve", () => resolve(server, use.inputs, context));
  try {
    const target = guard(resolved, context);
    if (target.kind === "launch") await context.deps.limits.admitContainer(context.caller.tenant);
    const identity = await identityOf(resolved);
    const events = new ServerEvents({
      server: server.name,
      redactor: resolved.redactor,
      onListChanged: (list) => evict(list, identity, context),
      context,
    });
    const opening = { resolved, events, wish, fillsForms: fillsForms(use), context };
    const opened = await timed(context, "open", () => open(target, opening));
    const { timings } = context;
    return { server, resolved, identity, wish, events, open: opened, timings };
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  }
}

/** The caller lets forms be filled in by their defaults (SEP-1034). */
function fillsForms({ capabilities }: ServerUse): boolean {
  const form = capabilities?.elicitation?.["form"];
  return isJsonObject(form) && form["applyDefaults"] === true;
}

/** Of configs without references, which the deployment's env files belong to. */
const identities = new WeakMap<ServerConfig, string>();

async function identityOf({ server, config, envFile }: ResolvedServer): Promise<string> {
  const known = identities.get(config);
  if (known !== undefined) return known;
  const identity = await sha256Hex(JSON.stringify([server.source, config, envFile]));
  // What a reference stands for may change; and its value is not kept here.
  if (config === server.config) identities.set(config, identity);
  return identity;
}

const changedMethods: Readonly<Record<ChangedList, readonly ListMethod[]>> = {
  tools: ["tools/list"],
  prompts: ["prompts/list"],
  resources: ["resources/list", "resources/templates/list"],
};

function evict(list: ChangedList, server: string, { caller, deps }: OperationContext): void {
  for (const method of changedMethods[list]) {
    deps.lists.evict({ tenant: caller.tenant, server, method });
  }
}
