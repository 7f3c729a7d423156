import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterFailure,
  breakerState,
  type FailureStreak,
} from "../../../../functions/host/pool/breaker.ts";

const start = 1_000_000;

/** The streak of failures at those times. */
function streakOf(times: readonly number[]): FailureStreak<string> | undefined {
  return times.reduce<FailureStreak<string> | undefined>(
    (streak, time) => afterFailure(streak, `at ${time}`, time),
    undefined,
  );
}

const failures = (count: number) => Array.from({ length: count }, () => start);

describe("breakerState", () => {
  it.each<[number, number, ReturnType<typeof breakerState>]>([
    [0, 0, { state: "closed" }],
    [1, 0, { state: "closed" }],
    [2, 0, { state: "closed" }],
    [3, 0, { state: "open", waitMs: 1000 }],
    [3, 400, { state: "open", waitMs: 600 }],
    [3, 1000, { state: "half-open" }],
    [4, 1999, { state: "open", waitMs: 1 }],
    [5, 0, { state: "open", waitMs: 4000 }],
    [8, 0, { state: "open", waitMs: 32_000 }],
    [9, 0, { state: "open", waitMs: 60_000 }],
    [5000, 0, { state: "open", waitMs: 60_000 }],
    [9, 60_000, { state: "half-open" }],
    [9, 600_000, { state: "half-open" }],
    [9, 600_001, { state: "closed" }],
    [3, -5_000, { state: "open", waitMs: 1000 }],
  ])("after %i failures in a row, %i ms after the last one, is %o", (count, passedMs, expected) => {
    expect(breakerState(streakOf(failures(count)), start + passedMs)).toEqual(expected);
  });

  it("opens for longer when the try of a half-open one fails", () => {
    const streak = streakOf([start, start, start, start + 1000]);
    expect(breakerState(streak, start + 1000)).toEqual({ state: "open", waitMs: 2000 });
  });

  it("begins anew with a failure long after the others", () => {
    const streak = streakOf([...failures(9), start + 600_001]);
    expect(streak).toEqual({ failures: 1, failedAt: start + 600_001, reason: "at 1600001" });
  });

  it("never waits longer than a minute, nor without end", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700_000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(gaps, (waits) => {
        let now = start;
        const streak = streakOf(waits.map((wait) => (now += wait)));
        const state = breakerState(streak, now);
        if (state.state === "open") expect(state.waitMs).toBeLessThanOrEqual(60_000);
        expect(breakerState(streak, now + 60_000).state).not.toBe("open");
      }),
    );
  });
});
