import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rateWindow } from "../../../../functions/edge/operation/rate-window.ts";

describe("a rate window", () => {
  it("passes again one second after the oldest that passed", () => {
    let now = 0;
    const mayPass = rateWindow(2, () => now);
    const at = (ms: number) => {
      now = ms;
      return mayPass();
    };
    expect([at(0), at(500), at(999), at(1000), at(1499), at(1500)]).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it("never passes more than its rate in any second, and at least its rate over time", () => {
    const gaps = fc.array(fc.nat(400), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5 }), (waits, perSecond) => {
        let now = 0;
        const mayPass = rateWindow(perSecond, () => now);
        const passed: number[] = [];
        for (const wait of waits) {
          now += wait;
          if (mayPass()) passed.push(now);
        }
        for (const at of passed) {
          const within = passed.filter((other) => other > at - 1000 && other <= at);
          expect(within.length).toBeLessThanOrEqual(perSecond);
        }
        expect(passed.length).toBeGreaterThanOrEqual(Math.min(waits.length, perSecond));
      }),
    );
  });
});
