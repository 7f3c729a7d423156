import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OperationDeadline } from "../../../../shared/mcp/operation-deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits in a queue for that long, as far as the deadline is concerned. */
async function queueFor(deadline: OperationDeadline, ms: number): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const paused = deadline.whilePaused(() => waited.promise);
  await vi.advanceTimersByTimeAsync(ms);
  waited.resolve();
  await paused;
}

describe("a deadline", () => {
  it("does not count the time in a queue", async () => {
    using deadline = new OperationDeadline({ timeoutMs: 1_000 });
    await vi.advanceTimersByTimeAsync(400);
    await queueFor(deadline, 60_000);
    expect([deadline.reason, deadline.elapsedMs, deadline.remainingMs]).toEqual([null, 400, 600]);
    await vi.advanceTimersByTimeAsync(599);
    expect(deadline.reason).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.reason).toBe("timeout");
  });

  it("keeps what progress has given it over a queue", async () => {
    using deadline = new OperationDeadline({ timeoutMs: 1_000, extendsToMs: 5_000 });
    await vi.advanceTimersByTimeAsync(900);
    deadline.extend();
    await vi.advanceTimersByTimeAsync(400);
    await queueFor(deadline, 60_000);
    await vi.advanceTimersByTimeAsync(599);
    expect(deadline.reason).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.reason).toBe("timeout");
  });

  it("tells the limit that was set, whatever time has passed", async () => {
    using deadline = new OperationDeadline({ timeoutMs: 1_000, extendsToMs: 2_500 });
    await vi.advanceTimersByTimeAsync(900);
    expect(deadline.limit).toBe("1000 ms");
    deadline.extend();
    expect(deadline.limit).toBe("1000 ms of its last progress");
    await vi.advanceTimersByTimeAsync(900);
    deadline.extend();
    expect(deadline.limit).toBe("2500 ms in all");
  });

  it("is cancelled in a queue all the same", async () => {
    const gone = new AbortController();
    using deadline = new OperationDeadline({ timeoutMs: 1_000, signal: gone.signal });
    const queued = queueFor(deadline, 5_000);
    gone.abort();
    expect([deadline.reason, deadline.signal.aborted]).toEqual(["cancelled", true]);
    await queued;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(deadline.reason).toBe("cancelled");
  });

  it("goes on where the wait fails, and where there is none", async () => {
    using deadline = new OperationDeadline({ timeoutMs: 1_000 });
    await expect(deadline.whilePaused(() => Promise.reject(new RangeError("no")))).rejects.toThrow(
      "no",
    );
    expect(await deadline.whilePaused(() => undefined)).toBe(undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deadline.reason).toBe("timeout");
  });

  it("stands still while it is paused, whatever progress is told, and begins anew with other limits", async () => {
    using deadline = new OperationDeadline({ timeoutMs: 1_000, extendsToMs: 2_000 });
    await vi.advanceTimersByTimeAsync(900);
    deadline.pause();
    deadline.extend();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(deadline.reason).toBe(null);
    deadline.restart({ timeoutMs: 300 });
    expect(deadline.timeoutMs).toBe(300);
    await vi.advanceTimersByTimeAsync(299);
    expect(deadline.reason).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.reason).toBe("timeout");
  });
});
