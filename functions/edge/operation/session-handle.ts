import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { seal, unseal } from "../../../shared/seal/seal.ts";
import type { KeptSession, SessionWish } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import { requireSealKeys, sealContext } from "./sealing.ts";
import type { UsableServer } from "./select.ts";

/** A handle that was not used for this long is refused; each answer gives a fresh one. */
const handleTtlMs = 24 * 3_600_000;

/**
 * Which session of the server `options.session` asks for.
 * @throws GatewayError SESSION_UNSUPPORTED, SESSION_INVALID, SESSION_EXPIRED, NOT_READY
 */
export async function sessionWish(
  server: UsableServer,
  wanted: string | undefined,
  context: OperationContext,
): Promise<SessionWish> {
  if (wanted === undefined) return { kind: "own" };
  refuseWithoutSessions(server);
  if (wanted !== "new") return { kind: "kept", session: await openHandle(server, wanted, context) };
  // Told before anything runs, rather than when there is a session to hand out.
  await requireSealKeys(context, "a session cannot be handed out");
  return { kind: "new" };
}

/**
 * The session that a handle stands for.
 * @throws GatewayError SESSION_INVALID, SESSION_EXPIRED, NOT_READY
 */
export async function openHandle(
  server: UsableServer,
  handle: string,
  context: OperationContext,
): Promise<KeptSession> {
  const keys = await requireSealKeys(context, "session handles cannot be opened");
  const opened = await unseal(
    keys,
    await sealContext("session", server, context),
    handle,
    context.clock(),
  );
  // Only `sealSession` can have made it, so its shape is known.
  if (opened.ok) return opened.data as KeptSession;
  throw opened.reason === "expired"
    ? new GatewayError("SESSION_EXPIRED", "The session handle has expired.", {
        server: server.name,
      })
    : new GatewayError(
        "SESSION_INVALID",
        `The session handle is none of this caller's for server '${server.name}'.`,
        { server: server.name },
      );
}

/** A handle that continues the session in later requests of the same caller. */
export async function sealSession(
  server: UsableServer,
  session: KeptSession,
  context: OperationContext,
): Promise<string> {
  const keys = await requireSealKeys(context, "a session cannot be handed out");
  const expiresAt = context.clock() + handleTtlMs;
  return seal(keys, await sealContext("session", server, context), session, expiresAt);
}

/** Over stdio a session is a process of its own. */
export function keepsSessions({ transport }: UsableServer["config"]): boolean {
  return transport === "http" || transport === "stdio";
}

/** Transports whose session ends with the connection have none to keep. */
function refuseWithoutSessions({ name, config }: UsableServer): void {
  if (keepsSessions(config)) return;
  const text = `Server '${name}' is reached over ${config.transport}, whose session ends with the connection.`;
  throw new GatewayError("SESSION_UNSUPPORTED", text, {
    server: name,
    details: { reason: config.transport },
  });
}
