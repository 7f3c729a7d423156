/** The failures of one key's process in a row: starts that failed, and crashes under a call. */
export interface FailureStreak<Reason> {
  readonly failures: number;
  readonly failedAt: number;
  /** What the last one failed with. */
  readonly reason: Reason;
}

/** Closed: starts are free. Open: none may be made for `waitMs`. Half open: one is tried. */
export type BreakerState =
  | { readonly state: "closed" }
  | { readonly state: "open"; readonly waitMs: number }
  | { readonly state: "half-open" };

/** A server that fails now and then starts anew with the next call. */
const freeFailures = 2;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
/** Failures that long ago say nothing of the next start. */
const forgottenAfterMs = 10 * 60_000;

/** The streak after one failure more; `now` in milliseconds. */
export function afterFailure<Reason>(
  before: FailureStreak<Reason> | undefined,
  reason: Reason,
  now: number,
): FailureStreak<Reason> {
  const earlier = before === undefined || isForgotten(before, now) ? 0 : before.failures;
  return { failures: earlier + 1, failedAt: now, reason };
}

/** What a streak means for a start at `now`; undefined = nothing has failed. */
export function breakerState(
  streak: FailureStreak<unknown> | undefined,
  now: number,
): BreakerState {
  if (streak === undefined || streak.failures <= freeFailures || isForgotten(streak, now))
    return { state: "closed" };
  // A clock that was set back must not hold the breaker open for longer than it would be.
  const passedMs = Math.max(0, now - streak.failedAt);
  const waitMs = backOffMs(streak.failures) - passedMs;
  return waitMs > 0 ? { state: "open", waitMs } : { state: "half-open" };
}

/** How long nothing is started after so many failures in a row: doubled each time, up to a minute. */
function backOffMs(failures: number): number {
  const doublings = Math.max(0, failures - freeFailures - 1);
  return Math.min(firstWaitMs * 2 ** doublings, longestWaitMs);
}

function isForgotten(streak: FailureStreak<unknown>, now: number): boolean {
  return now - streak.failedAt > forgottenAfterMs;
}
