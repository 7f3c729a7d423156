import { describe, expect, it } from "vitest";
import {
  createListCache,
  type KeptList,
  type ListKey,
} from "../../../../functions/edge/operation/list-cache.ts";

const key: ListKey = {
  tenant: "acme",
  subject: "a",
  server: "s",
  method: "tools/list",
  capabilities: undefined,
};
const list = (name: string, size = 0): KeptList => ({
  items: [{ name, filler: "x".repeat(size) }],
  warnings: [],
  era: "modern",
  protocolVersion: "2026-07-28",
});

function cache(limits = { maxSize: 10_000, ttlMs: 60_000, maxTtlMs: 3_600_000 }) {
  const clock = { now: 0 };
  return { clock, lists: createListCache(() => clock.now, limits) };
}

describe("the list cache", () => {
  it("keeps a list without a hint for a minute", () => {
    const { clock, lists } = cache();
    lists.set(key, list("one"), null);
    clock.now = 59_999;
    expect(lists.get(key)).toEqual(list("one"));
    clock.now = 60_000;
    expect(lists.get(key)).toBeUndefined();
  });

  it.each([
    ["tenant", { tenant: "globex" }],
    ["subject", { subject: "b" }],
    ["server", { server: "t" }],
    ["method", { method: "prompts/list" } as const],
  ])("gives nothing to another %s", (_name, change) => {
    const { lists } = cache();
    lists.set(key, list("one"), null);
    expect(lists.get({ ...key, ...change })).toBeUndefined();
  });

  it("gives a public list to every subject, but inside the tenant", () => {
    const { lists } = cache();
    lists.set(key, list("one"), { ttlMs: 1_000, scope: "public" });
    expect(lists.get({ ...key, subject: "b" })).toEqual(list("one"));
    expect(lists.get({ ...key, tenant: "globex" })).toBeUndefined();
  });

  it.each(["private", "public"] as const)(
    "gives a %s list to the capabilities that it was asked for with, and drops all together",
    (scope) => {
      const { lists } = cache();
      const asks = { ...key, capabilities: { elicitation: {} } };
      lists.set(key, list("none"), { ttlMs: 1_000, scope });
      expect(lists.get(asks)).toBeUndefined();
      lists.set(asks, list("asks"), { ttlMs: 1_000, scope });
      expect(lists.get(key)).toEqual(list("none"));
      expect(lists.get(asks)).toEqual(list("asks"));
      expect(lists.get({ ...key, capabilities: { sampling: {} } })).toBeUndefined();
      lists.evict(key);
      expect([lists.get(key), lists.get(asks)]).toEqual([undefined, undefined]);
    },
  );

  it("follows the server's time, up to its own longest", () => {
    const { clock, lists } = cache();
    lists.set(key, list("none"), { ttlMs: 0, scope: "private" });
    expect(lists.get(key)).toBeUndefined();
    lists.set(key, list("long"), { ttlMs: 1e12, scope: "private" });
    clock.now = 3_599_999;
    expect(lists.get(key)).toBeDefined();
    clock.now = 3_600_000;
    expect(lists.get(key)).toBeUndefined();
  });

  it("takes a list with no time as the end of the one before", () => {
    const { lists } = cache();
    lists.set(key, list("old"), null);
    lists.set(key, list("new"), { ttlMs: 0, scope: "private" });
    expect(lists.get(key)).toBeUndefined();
  });

  it("drops a changed list for all subjects, and no other", () => {
    const { lists } = cache();
    const other = { ...key, method: "prompts/list" } as const;
    for (const each of [key, { ...key, subject: "b" }, other]) lists.set(each, list("one"), null);
    lists.evict(key);
    expect(lists.get(key)).toBeUndefined();
    expect(lists.get({ ...key, subject: "b" })).toBeUndefined();
    expect(lists.get(other)).toBeDefined();
  });

  it("never holds more than its size: what was kept longest goes first", () => {
    const { lists } = cache({ maxSize: 2_500, ttlMs: 60_000, maxTtlMs: 60_000 });
    const keys = ["a", "b", "c"].map((server) => ({ ...key, server }));
    for (const each of keys) lists.set(each, list(each.server, 1_000), null);
    expect(keys.map((each) => lists.get(each) !== undefined)).toEqual([false, true, true]);
    lists.set(key, list("too large", 3_000), null);
    expect(lists.get(key)).toBeUndefined();
    expect(keys.map((each) => lists.get(each) !== undefined)).toEqual([false, true, true]);
  });
});
