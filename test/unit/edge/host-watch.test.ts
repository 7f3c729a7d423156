import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HostWatch } from "../../../functions/edge/host-watch.ts";
import { runRequest } from "../../support/run-request.ts";

const limits = { call_ms: 60_000, progress_extends_to_ms: 90_000 };
const request = runRequest("echo", { limits });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the run is given up within the milliseconds, and how. */
function afterMs(watch: HostWatch, ms: number) {
  vi.advanceTimersByTime(ms);
  const failure = watch.failure();
  return watch.signal.aborted ? `${failure?.code} executed:${failure?.executed}` : "goes on";
}

describe("HostWatch", () => {
  it("gives up a host that does not answer for five seconds", () => {
    using watch = new HostWatch(request);
    expect(afterMs(watch, 4_999)).toBe("goes on");
    expect(afterMs(watch, 1)).toBe("HOST_UNAVAILABLE executed:no");
  });

  it("gives up a host that is silent for 25 seconds after anything that it told", () => {
    using watch = new HostWatch(request);
    watch.heard(null);
    expect(afterMs(watch, 20_000)).toBe("goes on");
    watch.heard("ping");
    expect(afterMs(watch, 24_999)).toBe("goes on");
    expect(afterMs(watch, 1)).toBe("HOST_UNAVAILABLE executed:no");
  });

  it("tells that a host fell silent in the middle of the operation", () => {
    using watch = new HostWatch(request);
    watch.heard("sent");
    expect(afterMs(watch, 25_000)).toBe("HOST_UNAVAILABLE executed:maybe");
  });

  it("gives up an operation a second after its time limit, although the host is alive", () => {
    using watch = new HostWatch(request);
    watch.heard("sent");
    const seconds = limits.call_ms / 1000;
    for (let second = 0; second < seconds; second += 1) {
      expect(afterMs(watch, 1_000)).toBe("goes on");
      watch.heard("ping");
    }
    expect(afterMs(watch, 999)).toBe("goes on");
    expect(afterMs(watch, 1)).toBe("REQUEST_TIMEOUT executed:maybe");
  });

  it("lets progress extend the time limit, up to its total", () => {
    using watch = new HostWatch(request);
    watch.heard("sent");
    const seconds = limits.progress_extends_to_ms / 1000;
    for (let second = 0; second < seconds; second += 1) {
      expect(afterMs(watch, 1_000)).toBe("goes on");
      watch.heard("progress");
    }
    expect(afterMs(watch, 1_000)).toBe("REQUEST_TIMEOUT executed:maybe");
  });

  it("holds to a limit that is nearer than the silence that is allowed", () => {
    const short = runRequest("echo", { limits: { call_ms: 50, progress_extends_to_ms: 50 } });
    using watch = new HostWatch(short);
    watch.heard("sent");
    expect(afterMs(watch, 1_049)).toBe("goes on");
    expect(afterMs(watch, 1)).toBe("REQUEST_TIMEOUT executed:maybe");
  });

  it("keeps one timer, and none when the run is over", () => {
    const watch = new HostWatch(request);
    for (const event of [null, "sent", "ping", "progress"] as const) watch.heard(event);
    expect(vi.getTimerCount()).toBe(1);
    watch[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    expect(afterMs(watch, 1_000_000)).toBe("goes on");
  });
});
