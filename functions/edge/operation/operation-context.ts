import type { ServerEvent } from "../../../shared/api/stream-events.ts";
import type { LogLevel } from "../../../shared/mcp/log-levels.ts";
import type { Caller, Clock, Deps } from "../context.ts";
import type { HeaderSlots } from "../upstream/header-slots.ts";

/** What one request's way out to remote servers is bound by. */
export interface Outbound {
  /** Hosts that lead back to this deployment. */
  readonly ownHosts: readonly string[];
  /** Gateways that the request has come through. */
  readonly hops: number;
  readonly slots: HeaderSlots;
}

/** One request's surroundings, as its stages see them. */
export interface OperationContext {
  readonly requestId: string;
  readonly caller: Caller;
  /** The end user or agent behind the caller: `options.subject`, else the key's id. */
  readonly subject: string;
  readonly deps: Deps;
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** Least severe log records that the caller wants; null = none. */
  readonly logLevel: LogLevel | null;
  /**
   * Tells the caller of something while the operation goes on; false when there is no room for it.
   * Null where the answer is no stream.
   */
  readonly tell: ((event: ServerEvent) => boolean) | null;
  /** To be called before a server is contacted: errors found earlier are answered without a stream. */
  readonly contacting: () => void;
  /** Keeps work going after the answer: closing sessions. */
  readonly afterAnswer: (work: Promise<unknown>) => void;
  /** Milliseconds by stage, for `server-timing` and the result's metadata. */
  readonly timings: Map<string, number>;
}

/**
 * Runs one of several pieces of work that go on side by side, with timings of its own: of each
 * stage, the request keeps the longest.
 */
export async function apart<Result>(
  context: OperationContext,
  work: (own: OperationContext) => Promise<Result>,
): Promise<Result> {
  const timings = new Map<string, number>();
  try {
    return await work({ ...context, timings });
  } finally {
    for (const [stage, ms] of timings) {
      context.timings.set(stage, Math.max(ms, context.timings.get(stage) ?? 0));
    }
  }
}

/** Runs one stage and adds its milliseconds to the request's timings. */
export async function timed<Result>(
  context: OperationContext,
  stage: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const startedAt = context.clock();
  try {
    return await work();
  } finally {
    const ms = context.clock() - startedAt;
    context.timings.set(stage, (context.timings.get(stage) ?? 0) + ms);
  }
}
