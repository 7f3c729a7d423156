import type { ConfigFields } from "../../../shared/api/request-fields.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { authorise } from "./authorise.ts";
import { guard } from "./guard.ts";
import { endRunSession, whoseRun } from "./host-run.ts";
import { load } from "./load.ts";
import type { KeptSession } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import { redactError } from "./redact-error.ts";
import { resolve } from "./resolve.ts";
import { requireUsable, type UsableServer } from "./select.ts";
import { keepsSessions, openHandle } from "./session-handle.ts";

/**
 * Ends the session of a handle at its server; one that is gone already counts as ended. False:
 * the server lets no client end a session. The handle's server is found among those in scope.
 * @throws GatewayError SESSION_INVALID where the handle is of none of them, NOT_READY, and what
 * resolving and reaching the server throws
 */
export async function endSession(
  handle: string,
  fields: ConfigFields,
  context: OperationContext,
): Promise<boolean> {
  for (const server of usableServers(fields, context)) {
    const opened = await openHandle(server, handle, context).catch(reasonOf);
    if (opened === "SESSION_EXPIRED") return true;
    if (opened !== "SESSION_INVALID") return endAt(server, opened, fields, context);
  }
  throw new GatewayError("SESSION_INVALID", "The session handle is of no server in scope.", {
    hint: "Send the key, subject and config of the request that the handle came from.",
  });
}

function usableServers(fields: ConfigFields, context: OperationContext): UsableServer[] {
  return load(fields, context)
    .filter(({ config, disabled }) => config !== null && keepsSessions(config) && !disabled)
    .map(requireUsable);
}

function reasonOf(error: unknown): "SESSION_EXPIRED" | "SESSION_INVALID" {
  if (error instanceof GatewayError) {
    const { code } = error;
    if (code === "SESSION_EXPIRED" || code === "SESSION_INVALID") return code;
  }
  throw error;
}

async function endAt(
  server: UsableServer,
  session: KeptSession,
  { inputs = {} }: ConfigFields,
  context: OperationContext,
): Promise<boolean> {
  authorise(server, context);
  const resolved = await resolve(server, inputs, context);
  try {
    const target = guard(resolved, context);
    if (target.kind === "launch") {
      await endRunSession(session.id, await whoseRun(target, resolved, context));
      return true;
    }
    const { StreamableHttpTransport } = await import("../upstream/streamable-http.ts");
    const { guardedFetch } = await import("../upstream/guarded-fetch.ts");
    const transport = new StreamableHttpTransport({
      url: target.url.href,
      headers: target.headers,
      fetch: guardedFetch(target.guard),
      terminateOnClose: true,
      silenceMs: resolved.config.sse_read_timeout * 1000,
      session,
    });
    return await transport.endSession();
  } catch (error) {
    throw error instanceof GatewayError
      ? redactError(error.with({ server: server.name }), resolved.redactor)
      : error;
  }
}
