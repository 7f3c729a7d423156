import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chargeContainer,
  emptyLedger,
  type LeaseAnswer,
  leaseCalls,
  turn,
} from "../../../../functions/edge/limits/budget-ledger.ts";

const noon = Date.parse("2026-12-01T12:00:30Z");
const nothing = { calls: 0, minute: -1, day: -1 };

function lease(bounds: { perMinute: number | null; perDay: number | null }, calls = 1) {
  return leaseCalls(emptyLedger, { calls, bounds, unused: nothing }, noon);
}

describe("a ledger of calls", () => {
  it.each([
    [{ perMinute: 120, perDay: null }, 1, 10],
    [{ perMinute: 120, perDay: 2_000 }, 1, 2],
    [{ perMinute: null, perDay: 20_000 }, 1, 20],
    [{ perMinute: 3, perDay: null }, 1, 1],
    [{ perMinute: 120, perDay: null }, 16, 16],
  ])("leases of %o for %i calls %i", (bounds, calls, expected) => {
    expect(lease(bounds, calls).answer).toMatchObject({ ok: true, calls: expected });
  });

  it("leases to the end of the minute, or of the day where no minute is bounded", () => {
    const minute = lease({ perMinute: 120, perDay: 20_000 }).answer;
    expect(minute).toMatchObject({ until: Date.parse("2026-12-01T12:01:00Z") });
    const day = lease({ perMinute: null, perDay: 20_000 }).answer;
    expect(day).toMatchObject({ until: Date.parse("2026-12-02T00:00:00Z") });
  });

  it("tells which bound is reached and when it is free again", () => {
    expect(lease({ perMinute: 10, perDay: null }, 11).answer).toEqual({
      ok: false,
      bound: "perMinute",
      limit: 10,
      retryAfterS: 30,
    });
    expect(lease({ perMinute: null, perDay: 10 }, 11).answer).toEqual({
      ok: false,
      bound: "perDay",
      limit: 10,
      retryAfterS: 43_170,
    });
  });

  it("counts unused calls back to the day, and to the minute while it lasts", () => {
    const bounds = { perMinute: 120, perDay: 20_000 };
    const first = lease(bounds);
    if (!first.answer.ok) throw new TypeError("no lease");
    const { minute, day, calls } = first.answer;
    const unused = { calls: calls - 1, minute, day };
    const same = leaseCalls(first.ledger, { calls: 0, bounds, unused }, noon).ledger;
    expect([same.minuteCalls, same.dayCalls]).toEqual([1 + calls, 1 + calls]);
    const later = leaseCalls(first.ledger, { calls: 0, bounds, unused }, noon + 60_000).ledger;
    expect([later.minuteCalls, later.dayCalls]).toEqual([calls, 1 + calls]);
    const tomorrow = leaseCalls(first.ledger, { calls: 0, bounds, unused }, noon + 86_400_000);
    expect(tomorrow.ledger.dayCalls).toBe(calls);
  });

  it("never lets more through than the bounds, whatever is asked and given back", () => {
    const ask = fc.record({
      calls: fc.integer({ min: 1, max: 16 }),
      waitMs: fc.nat(40_000),
      back: fc.boolean(),
    });
    const bound = fc.option(fc.integer({ min: 1, max: 60 }), { nil: null });
    fc.assert(
      fc.property(bound, bound, fc.array(ask, { maxLength: 60 }), (perMinute, perDay, asks) => {
        let ledger = emptyLedger;
        let now = noon;
        const used = new Map<string, number>();
        for (const { calls, waitMs, back } of asks) {
          now += waitMs;
          const asked = leaseCalls(
            ledger,
            { calls, bounds: { perMinute, perDay }, unused: nothing },
            now,
          );
          ({ ledger } = asked);
          if (!asked.answer.ok) continue;
          const taken: Extract<LeaseAnswer, { ok: true }> = asked.answer;
          const kept = back ? calls : taken.calls;
          if (back) {
            const unused = { calls: taken.calls - calls, minute: taken.minute, day: taken.day };
            const returned = { calls: 1, bounds: { perMinute: 0, perDay: 0 }, unused };
            ({ ledger } = leaseCalls(ledger, returned, now));
          }
          for (const key of [`minute ${taken.minute}`, `day ${taken.day}`])
            used.set(key, (used.get(key) ?? 0) + kept);
        }
        for (const [key, count] of used) {
          const limit = key.startsWith("minute") ? perMinute : perDay;
          expect(count).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });

  it("adds container time within one day", () => {
    const today = chargeContainer(chargeContainer(emptyLedger, 500, noon), 700, noon + 1_000);
    expect(today.dayContainerMs).toBe(1_200);
    expect(chargeContainer(today, -5, noon).dayContainerMs).toBe(1_200);
    expect(turn(today, noon + 86_400_000).dayContainerMs).toBe(0);
  });
});
