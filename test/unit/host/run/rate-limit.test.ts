import { describe, expect, it } from "vitest";
import { rateLimit } from "../../../../functions/host/run/rate-limit.ts";

describe("rateLimit", () => {
  it("lets a burst pass, then as many a second as the rate says", () => {
    let now = 0;
    const mayPass = rateLimit({ perSecond: 10, burst: 3 }, () => now);
    const passed = () => Array.from({ length: 10 }, mayPass).filter(Boolean).length;
    expect(passed()).toBe(3);
    now = 100;
    expect(passed()).toBe(1);
    now = 60_000;
    expect(passed()).toBe(3);
  });
});
