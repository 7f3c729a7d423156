import { describe, expect, it } from "vitest";
import { WaitingCalls } from "../../../../functions/host/questions/waiting-calls.ts";

const request = { pool_key: "key", server: "asker" };
const waitingCall = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { call: { poolKey: "key", abandon: resolve }, abandoned: promise };
};

describe("WaitingCalls", () => {
  it("waits for answers to one call no longer than three times, however often it is continued", async () => {
    let now = 0;
    const waiting = new WaitingCalls({ waitMs: 1000, now: () => now });
    const { call, abandoned } = waitingCall();
    const waits = [0, 900, 1800, 2700, 3600].map((at) => {
      now = at;
      const { state, waitsMs } = waiting.keep(call);
      if (at < 3600) waiting.take(state, request);
      return waitsMs;
    });
    expect(waits).toEqual([1000, 1000, 1000, 300, 1]);
    await abandoned;
    now = 5000;
    expect(waiting.keep(waitingCall().call).waitsMs).toBe(1000);
  });

  it("keeps the call for its own values when it is asked for with others", () => {
    const waiting = new WaitingCalls({ waitMs: 1000, now: () => 0 });
    const { call } = waitingCall();
    const { state } = waiting.keep(call);
    expect(() => waiting.take(state, { ...request, pool_key: "other" })).toThrow(
      expect.objectContaining({ code: "REQUEST_STATE_INVALID", executed: "no" }),
    );
    expect(waiting.take(state, request)).toBe(call);
  });
});
