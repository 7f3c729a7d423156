import { describe, expect, it } from "vitest";
import { cacheMembers, narrower, readCacheHint } from "../../../../shared/mcp/cache-hint.ts";

describe("the cache hint of a result", () => {
  it.each([
    [
      { ttlMs: 5, cacheScope: "public" },
      { ttlMs: 5, scope: "public" },
    ],
    [
      { ttlMs: 5, cacheScope: "private" },
      { ttlMs: 5, scope: "private" },
    ],
    [
      { ttlMs: 5, cacheScope: "all" },
      { ttlMs: 5, scope: "private" },
    ],
    [{ ttlMs: 0 }, { ttlMs: 0, scope: "private" }],
    [{ ttlMs: -1, cacheScope: "public" }, null],
    [{ ttlMs: "5" }, null],
    [{ cacheScope: "public" }, null],
    [{}, null],
  ])("of %j is %j", (result, hint) => {
    expect(readCacheHint(result)).toEqual(hint);
  });

  it("of two pages is the narrower of both", () => {
    const a = { ttlMs: 5, scope: "public" } as const;
    const b = { ttlMs: 9, scope: "private" } as const;
    expect(narrower(a, b)).toEqual({ ttlMs: 5, scope: "private" });
    expect(narrower(a, a)).toEqual(a);
  });

  it("is written as it is read", () => {
    const hint = { ttlMs: 5, scope: "public" } as const;
    expect(readCacheHint(cacheMembers(hint))).toEqual(hint);
    expect(cacheMembers(undefined)).toEqual({});
  });
});
