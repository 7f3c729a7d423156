import { describe, expect, it } from "vitest";
import { createEraCache } from "../../../../functions/edge/upstream/era-cache.ts";

type Learnt = Parameters<ReturnType<typeof createEraCache>["note"]>[1];

const legacy: Learnt = { prior: { kind: "legacy" } };
const modern: Learnt = {
  prior: { kind: "modern", discover: { supportedVersions: ["2026-07-28"], capabilities: {} } },
};
const url = "https://a.example/mcp";
const minute = 60_000;

describe("the era cache", () => {
  it("keeps a verdict until its date, a legacy one for a shorter time", () => {
    let now = 0;
    const cache = createEraCache(() => now);
    cache.note(url, legacy);
    cache.note("https://b.example/mcp", modern);
    expect(cache.get(url)).toEqual(legacy.prior);
    now = 11 * minute;
    expect(cache.get(url)).toBeUndefined();
    expect(cache.get("https://b.example/mcp")).toEqual(modern.prior);
    now = 61 * minute;
    expect(cache.get("https://b.example/mcp")).toBeUndefined();
  });

  it("knows a server by origin and path, and keeps no query", () => {
    const cache = createEraCache(() => 0);
    cache.note("https://user:pw@a.example/mcp?key=secret", legacy);
    expect(cache.get("https://a.example/mcp?key=other")).toBeDefined();
    expect(cache.get("https://a.example/other")).toBeUndefined();
    expect(cache.get("https://a.example:8443/mcp")).toBeUndefined();
  });

  it("keeps nothing from a session that learnt nothing", () => {
    const cache = createEraCache(() => 0);
    cache.note(url, legacy);
    cache.note(url, { prior: null });
    expect(cache.get(url)).toEqual(legacy.prior);
  });

  it("forgets a verdict that proved wrong", () => {
    const cache = createEraCache(() => 0);
    cache.note(url, modern);
    cache.forget(url);
    expect(cache.get(url)).toBeUndefined();
  });

  it("does not grow past its limit: the oldest verdict goes", () => {
    const cache = createEraCache(() => 0, {
      maxServers: 2,
      legacyTtlMs: minute,
      modernTtlMs: minute,
    });
    for (const path of ["1", "2", "1", "3"]) cache.note(`https://a.example/${path}`, legacy);
    const kept = ["1", "2", "3"].filter(
      (path) => cache.get(`https://a.example/${path}`) !== undefined,
    );
    expect(kept).toEqual(["1", "3"]);
  });
});
