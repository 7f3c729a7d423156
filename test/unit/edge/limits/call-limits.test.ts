import { describe, expect, it } from "vitest";
import {
  chargeContainer,
  emptyLedger,
  type LeaseAsk,
  leaseCalls,
} from "../../../../functions/edge/limits/budget-ledger.ts";
import {
  type BudgetCounter,
  createCallLimits,
} from "../../../../functions/edge/limits/call-limits.ts";

const noon = Date.parse("2026-12-01T12:00:00Z");

interface Limits {
  calls_per_minute?: number;
  calls_per_day?: number;
  container_minutes_per_day?: number;
}

/** Counters over the real ledger, one a tenant, in place of Durable Objects. */
function counters() {
  const made = new Map<string, BudgetCounter>();
  let asked = 0;
  const clock = { now: noon };
  const counter = (tenant: string): BudgetCounter => {
    let ledger = emptyLedger;
    const own = made.get(tenant) ?? {
      async lease(ask: LeaseAsk) {
        asked += 1;
        const leased = leaseCalls(ledger, ask, clock.now);
        ({ ledger } = leased);
        return leased.answer;
      },
      async charge(ms: number) {
        asked += 1;
        ledger = chargeContainer(ledger, ms, clock.now);
        return ledger.dayContainerMs;
      },
    };
    made.set(tenant, own);
    return own;
  };
  return { counter, clock, asked: () => asked };
}

function isolate(limits: Limits, world = counters()) {
  const { counter, clock } = world;
  return createCallLimits({ counter, policy: () => ({ limits }), clock: () => clock.now });
}

async function admitted(limits: ReturnType<typeof isolate>, times: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i += 1) {
    count += await limits.admit("acme", 1).then(
      () => 1,
      () => 0,
    );
  }
  return count;
}

describe("limits of a tenant", () => {
  it("cost nothing where there are none", async () => {
    const limits = createCallLimits({
      counter: null,
      policy: () => ({ limits: {} }),
      clock: () => noon,
    });
    await limits.admit("acme", 16);
    await limits.admitContainer("acme");
    await expect(limits.charge("acme", 1_000)).resolves.toBeUndefined();
  });

  it("let exactly as many calls through in a minute, and ask the counter once for many", async () => {
    const world = counters();
    const limits = isolate({ calls_per_minute: 120 }, world);
    expect(await admitted(limits, 120)).toBe(120);
    expect(world.asked()).toBe(12);
    await expect(limits.admit("acme", 1)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      http: 429,
      retryable: true,
      retryAfterS: 60,
      details: { limit: "calls_per_minute", value: 120 },
    });
    world.clock.now += 60_000;
    expect(await admitted(limits, 200)).toBe(120);
  });

  it("hold several isolates together", async () => {
    const world = counters();
    const first = isolate({ calls_per_day: 10 }, world);
    const second = isolate({ calls_per_day: 10 }, world);
    expect((await admitted(first, 7)) + (await admitted(second, 7))).toBe(10);
    await expect(second.admit("acme", 1)).rejects.toMatchObject({
      code: "BUDGET_EXHAUSTED",
      retryAfterS: 43_200,
    });
  });

  it("lose no call of requests that come at the same time", async () => {
    const limits = isolate({ calls_per_minute: 60 });
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, () => limits.admit("acme", 1)),
    );
    expect(all.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(60);
    const rest = await admitted(limits, 100);
    expect(all.filter(({ status }) => status === "fulfilled").length + rest).toBe(60);
  });

  it("keep tenants apart", async () => {
    const limits = isolate({ calls_per_minute: 1 });
    await limits.admit("acme", 1);
    await limits.admit("globex", 1);
    await expect(limits.admit("acme", 1)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("refuse a request of more calls than are left as a whole", async () => {
    const limits = isolate({ calls_per_minute: 10 });
    await expect(limits.admit("acme", 16)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await admitted(limits, 12)).toBe(10);
  });

  it("end stdio servers when the day's container time is used", async () => {
    const world = counters();
    const limits = isolate({ container_minutes_per_day: 1 }, world);
    await limits.admitContainer("acme");
    await limits.charge("acme", 59_000);
    await limits.admitContainer("acme");
    await limits.charge("acme", 1_500);
    await expect(limits.admitContainer("acme")).rejects.toMatchObject({
      code: "BUDGET_EXHAUSTED",
      details: { limit: "container_minutes_per_day" },
    });
    const other = isolate({ container_minutes_per_day: 1 }, world);
    await expect(other.admitContainer("acme")).rejects.toMatchObject({ code: "BUDGET_EXHAUSTED" });
  });

  it.each([
    ["is missing", null],
    [
      "fails",
      () => ({
        lease: () => Promise.reject(new TypeError("reset")),
        charge: () => Promise.reject(new TypeError("reset")),
      }),
    ],
  ])("are not lifted when the counter %s", async (_, counter) => {
    const limits = createCallLimits({
      counter,
      policy: () => ({ limits: { calls_per_minute: 10, container_minutes_per_day: 1 } }),
      clock: () => noon,
    });
    const refusal = { code: "NOT_READY", http: 503, retryAfterS: 5 };
    await expect(limits.admit("acme", 1)).rejects.toMatchObject(refusal);
    await expect(limits.admitContainer("acme")).rejects.toMatchObject(refusal);
    await expect(limits.charge("acme", 1)).resolves.toBeUndefined();
  });
});
