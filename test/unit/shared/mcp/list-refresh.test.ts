import { describe, expect, it } from "vitest";
import { ListRefresh } from "../../../../shared/mcp/list-refresh.ts";

describe("ListRefresh", () => {
  it("runs one at a time, and once more for all requests that came meanwhile", async () => {
    const releases: (() => void)[] = [];
    const refresh = new ListRefresh(async () => new Promise((resolve) => releases.push(resolve)));
    const first = refresh.request();
    await Promise.all([refresh.request(), refresh.request(), refresh.request()]);
    expect(releases).toHaveLength(1);
    releases[0]?.();
    await expect.poll(() => releases.length).toBe(2);
    releases[1]?.();
    await first;
    expect(releases).toHaveLength(2);
  });

  it("can be asked again after it failed", async () => {
    let runs = 0;
    const refresh = new ListRefresh(async () => {
      runs += 1;
      if (runs === 1) throw new TypeError("the first time");
    });
    await expect(refresh.request()).rejects.toThrow("the first time");
    await refresh.request();
    expect(runs).toBe(2);
  });
});
