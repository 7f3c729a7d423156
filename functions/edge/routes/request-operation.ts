import type { LogLevel } from "../../../shared/mcp/log-levels.ts";
import type { AppContext, Deps } from "../context.ts";
import { subjectOf } from "../middleware/subject.ts";
import type { OperationContext, Outbound } from "../operation/operation-context.ts";
import { HeaderSlots } from "../upstream/header-slots.ts";
import { hopsHeader, readHops } from "../upstream/hops.ts";

/** The options of a request that concern its surroundings. */
export interface SurroundingOptions {
  readonly subject?: string | undefined;
  readonly log_level?: LogLevel | undefined;
}

/** The surroundings of one HTTP request whose answer is no stream, as the operation's stages take them. */
export function requestOperation(
  c: AppContext,
  deps: Deps,
  options: SurroundingOptions,
): OperationContext {
  const caller = c.get("caller");
  const context = c.executionCtx;
  return {
    requestId: c.get("requestId"),
    caller,
    subject: subjectOf(caller, options.subject),
    deps,
    outbound: outboundOf(c, deps),
    clock: deps.clock,
    signal: goneSignal(c.req.raw.signal),
    logLevel: options.log_level ?? null,
    tell: null,
    contacting: () => undefined,
    afterAnswer: (work) => context.waitUntil(work),
    timings: c.get("timings"),
  };
}

function outboundOf(c: AppContext, { settings }: Deps): Outbound {
  const { hostname, port } = new URL(c.req.url);
  // A host without a port is that host on every port: on one machine others live there.
  const own = settings.development ? `${hostname}:${port === "" ? 80 : port}` : hostname;
  return {
    ownHosts: [own, ...settings.deployment.hostnames],
    hops: readHops(c.req.header(hopsHeader)),
    slots: new HeaderSlots(),
  };
}

/** The runtime leaves a request's own signal out of account where it is handed to `fetch`. */
function goneSignal(requestSignal: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  if (requestSignal.aborted) abort();
  else requestSignal.addEventListener("abort", abort, { once: true });
  return gone.signal;
}
