import { sha256Hex } from "../../../shared/api/api-key.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Continuation } from "../../../shared/mcp/session-types.ts";
import { seal, unseal } from "../../../shared/seal/seal.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { OperationContext } from "./operation-context.ts";
import { requireSealKeys, sealContext } from "./sealing.ts";
import type { UsableServer } from "./select.ts";
import type { Target } from "./target.ts";

/** The caller may take this long to answer a server's questions. */
const stateTtlMs = 600_000;

/** The caller's answers to a server's questions, and the state that came with the questions. */
export interface GivenInput {
  readonly inputResponses?: Record<string, unknown> | undefined;
  /** Sealed by `sealState`. */
  readonly requestState?: string | undefined;
}

interface SealedState {
  /** The server's own; null where it gave none. */
  readonly state: string | null;
  /** Hash of what was asked for: the state continues nothing else. */
  readonly target: string;
}

/** A server's state in the form that leaves, and when it expires. */
export interface OutgoingState {
  readonly request_state: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/**
 * Seals what a server wants to get back for this caller, server and target alone. `waitsMs`: how
 * long a process waits for it; undefined = the state itself is all that waits.
 */
export async function sealState(
  { state, waitsMs = stateTtlMs }: { readonly state: unknown; readonly waitsMs?: number },
  { server, target }: { readonly server: UsableServer; readonly target: Target },
  context: OperationContext,
): Promise<OutgoingState> {
  const keys = await requireSealKeys(context, "the server's questions cannot be handed on");
  const expiresAtMs = context.clock() + stateTtlMs;
  const data: SealedState = {
    state: typeof state === "string" ? state : null,
    target: await targetHash(target),
  };
  return {
    request_state: await seal(
      keys,
      await sealContext("request_state", server, context),
      data,
      expiresAtMs,
    ),
    expires_at: new Date(context.clock() + Math.min(waitsMs, stateTtlMs)).toISOString(),
  };
}

/**
 * What continues an operation at the server; empty for one that begins.
 * @throws GatewayError REQUEST_STATE_INVALID, REQUEST_STATE_EXPIRED, REQUEST_INVALID, NOT_READY
 */
export async function openState(
  { inputResponses, requestState }: GivenInput,
  { server, target }: { readonly server: UsableServer; readonly target: Target },
  context: OperationContext,
): Promise<Continuation> {
  if (requestState === undefined) {
    if (inputResponses === undefined) return {};
    const text = "`input_responses` needs the `request_state` that came with the questions.";
    throw new GatewayError("REQUEST_INVALID", text, { server: server.name });
  }
  const keys = await requireSealKeys(context, "a request_state cannot be opened");
  const sealed = await sealContext("request_state", server, context);
  const opened = await unseal(keys, sealed, requestState, context.clock());
  if (!opened.ok) throw refused(opened.reason, server);
  // Only `sealState` can have made it, so its shape is known.
  const { state, target: sealedFor } = opened.data as SealedState;
  if (sealedFor !== (await targetHash(target))) throw refused("foreign", server);
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(state === null ? {} : { requestState: state }),
  };
}

function refused(reason: "foreign" | "expired", { name: server, config }: UsableServer) {
  // A process had begun the call that waited.
  const executed = config.transport === "stdio" ? "maybe" : "no";
  return reason === "expired"
    ? new GatewayError("REQUEST_STATE_EXPIRED", "The request_state has expired.", {
        server,
        executed,
      })
    : new GatewayError(
        "REQUEST_STATE_INVALID",
        "The request_state is not one of this caller's for this server and operation.",
        { server },
      );
}

/** Order of keys does not count: the caller's JSON library may change it. */
function targetHash(target: Target): Promise<string> {
  return sha256Hex(canonicalJson(target));
}
