import type { AppContext, Deps } from "../context.ts";
import type { OperationContext } from "../operation/operation-context.ts";

/** The surroundings of one HTTP request, in the form that the operation's stages take. */
export function requestOperation(
  c: AppContext,
  deps: Deps,
  subject: string | undefined,
): OperationContext {
  const caller = c.get("caller");
  const context = c.executionCtx;
  return {
    requestId: c.get("requestId"),
    caller,
    subject: subject ?? caller.keyId,
    deps,
    clock: deps.clock,
    signal: c.req.raw.signal,
    afterAnswer: (work) => context.waitUntil(work),
    timings: c.get("timings"),
  };
}
