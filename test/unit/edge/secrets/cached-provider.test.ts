import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cachedProvider } from "../../../../functions/edge/secrets/cached-provider.ts";
import { createRefreshBook } from "../../../../functions/edge/secrets/refresh-book.ts";
import {
  createSecretCache,
  defaultCacheLimits,
  type SecretCacheLimits,
} from "../../../../functions/edge/secrets/secret-cache.ts";

interface Setup {
  readonly whole?: boolean;
  readonly random?: number;
  readonly limits?: Partial<SecretCacheLimits>;
}

/** A cached store whose content, clock and questions the test holds. */
function setUp({ whole = false, random = 0, limits = {} }: Setup = {}) {
  const stored = new Map<string, string>();
  const reads: string[] = [];
  let now = 1_000_000;
  let down = false;
  const clock = () => now;
  const provider = cachedProvider({
    store: {
      async read(namespace, names) {
        reads.push(`${namespace}: ${names.join()}`);
        if (down) throw new TypeError("down");
        const own = [...stored].flatMap(([key, value]) => {
          const [owner, name = ""] = key.split("/");
          return owner === namespace && (whole || names.includes(name))
            ? [[name, value] as const]
            : [];
        });
        return { values: new Map(own), whole };
      },
    },
    cache: createSecretCache(
      { now: clock, random: () => random },
      { ...defaultCacheLimits, ...limits },
    ),
    refreshes: createRefreshBook(clock),
  });
  return {
    stored,
    reads,
    wait: (ms: number) => void (now += ms),
    setDown: (value: boolean) => void (down = value),
    get: async (name: string, namespace = "acme") =>
      (await provider.getSecrets(namespace, [name])).get(name),
    refresh: async (name: string, namespace = "acme") =>
      (await provider.refresh(namespace, [name])).get(name),
    provider,
  };
}

describe("cached secrets", () => {
  it.each([
    [0, 60_000],
    [0.5, 180_000],
    [1, 300_000],
  ])(
    "are read again after a lifetime between 1 and 5 minutes (chance %d: %d ms)",
    async (random, ttlMs) => {
      const { stored, reads, wait, get } = setUp({ random });
      stored.set("acme/A", "one");
      expect(await get("A")).toBe("one");
      stored.set("acme/A", "two");
      wait(ttlMs - 1);
      expect(await get("A")).toBe("one");
      wait(1);
      expect(await get("A")).toBe("two");
      expect(reads).toHaveLength(2);
    },
  );

  it("remember for ten seconds that a name has no value", async () => {
    const { stored, reads, wait, get } = setUp();
    expect(await get("A")).toBeUndefined();
    stored.set("acme/A", "one");
    wait(9_999);
    expect(await get("A")).toBeUndefined();
    wait(1);
    expect(await get("A")).toBe("one");
    expect(reads).toHaveLength(2);
  });

  it("ask only for the names that are not known", async () => {
    const { stored, reads, get, provider } = setUp();
    stored.set("acme/A", "one").set("acme/B", "two");
    await get("A");
    expect((await provider.getSecrets("acme", ["A", "B"])).size).toBe(2);
    expect(reads).toEqual(["acme: A", "acme: B"]);
  });

  it("know the whole of a bundle after one read, and what is no longer in it after the next", async () => {
    const { stored, reads, wait, get } = setUp({ whole: true });
    stored.set("acme/A", "one").set("acme/B", "two");
    await get("A");
    expect(await get("B")).toBe("two");
    expect(reads).toHaveLength(1);
    stored.delete("acme/B");
    wait(20_000);
    await get("C");
    expect(await get("B")).toBeUndefined();
  });

  it("are not kept beyond their time because the store fails", async () => {
    const { stored, wait, setDown, get } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    setDown(true);
    expect(await get("A")).toBe("one");
    wait(60_000);
    await expect(get("A")).rejects.toThrow("down");
    setDown(false);
    expect(await get("A")).toBe("one");
  });

  it("of one tenant go on while another's cannot be read", async () => {
    const { stored, setDown, get } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    setDown(true);
    await expect(get("A", "globex")).rejects.toThrow("down");
    expect(await get("A")).toBe("one");
  });

  it("give what was just read even where the cache has no room for it", async () => {
    const { stored, provider } = setUp({ limits: { maxNames: 2, maxLength: 10 } });
    for (const name of ["A", "B", "C"]) stored.set(`acme/${name}`, `value-of-${name}`);
    expect((await provider.getSecrets("acme", ["A", "B", "C"])).size).toBe(3);
  });

  it("of a tenant that asks for many names push none of another tenant out", async () => {
    const { stored, reads, get } = setUp({ limits: { maxNames: 3 } });
    stored.set("acme/A", "one");
    await get("A");
    for (let index = 0; index < 10; index += 1) await get(`N${index}`, "globex");
    expect(reads).toHaveLength(11);
    await get("A");
    expect(reads).toHaveLength(11);
  });

  it("take bounded room: the tenant that was read longest ago goes", async () => {
    const { stored, reads, get } = setUp({ limits: { maxLength: 250 } });
    for (const tenant of ["t1", "t2", "t3"]) stored.set(`${tenant}/A`, "x".repeat(100));
    for (const tenant of ["t1", "t2", "t3", "t2", "t3"]) await get("A", tenant);
    expect(reads).toEqual(["t1: A", "t2: A", "t3: A"]);
    await get("A", "t1");
    expect(reads).toHaveLength(4);
  });

  it.each([
    ["acme/../globex", "A"],
    ["", "A"],
    ["acme", "../globex/A"],
    ["acme", "A/B"],
    ["acme", ""],
  ])(
    "of namespace '%s' are not asked for under the name '%s' (case 26)",
    async (namespace, name) => {
      const { reads, get, refresh } = setUp();
      expect(await get(name, namespace)).toBeUndefined();
      expect(await refresh(name, namespace)).toBeUndefined();
      expect(reads).toEqual([]);
    },
  );

  it("never come from another namespace, whatever was read before (case 26)", async () => {
    const namespace = fc.constantFrom("acme", "acme-a", "globex", "deployment");
    const name = fc.constantFrom("A", "B", "_A", "A__B");
    const step = fc.tuple(fc.constantFrom("get", "refresh"), namespace, name, fc.nat(90_000));
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 30 }), async (whole, steps) => {
        const setup = setUp({ whole });
        for (const owner of ["acme", "acme-a", "globex", "deployment"]) {
          for (const one of ["A", "B", "_A"])
            setup.stored.set(`${owner}/${one}`, `${owner} ${one}`);
        }
        for (const [question, owner, asked, waitMs] of steps) {
          setup.wait(waitMs);
          const value = await (question === "get"
            ? setup.get(asked, owner)
            : setup.refresh(asked, owner));
          expect([undefined, `${owner} ${asked}`]).toContain(value);
        }
      }),
    );
  });
});

describe("secrets that a server refused (case 28)", () => {
  it("are read again at once, and give the rotated value to everybody", async () => {
    const { stored, get, refresh } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    stored.set("acme/A", "two");
    expect(await refresh("A")).toBe("two");
    expect(await get("A")).toBe("two");
  });

  it("are read again at most once in 30 seconds", async () => {
    const { stored, reads, wait, get, refresh } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    stored.set("acme/A", "two");
    expect(await refresh("A")).toBe("two");
    stored.set("acme/A", "three");
    wait(29_999);
    expect(await refresh("A")).toBe("two");
    wait(1);
    expect(await refresh("A")).toBe("three");
    expect(reads).toHaveLength(3);
  });

  it("are read at most twice in any minute when they are refused for ever", async () => {
    const { stored, reads, wait, get, refresh } = setUp();
    stored.set("acme/A", "one");
    const times: number[] = [];
    for (let at = 0; at < 600_000; at += 500) {
      await get("A");
      await refresh("A");
      while (times.length < reads.length) times.push(at);
      wait(500);
    }
    const busiest = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
    );
    expect(busiest).toBe(2);
  });

  it("are read once by several requests that were refused together", async () => {
    const { stored, reads, get, refresh } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    await Promise.all([refresh("A"), refresh("A"), refresh("A")]);
    expect(reads).toHaveLength(2);
  });

  it("are read again for each tenant by itself", async () => {
    const { stored, reads, refresh } = setUp();
    stored.set("acme/A", "one").set("globex/A", "two");
    await refresh("A");
    await refresh("A", "globex");
    expect(reads).toEqual(["acme: A", "globex: A"]);
  });

  it("are forgotten when they were deleted", async () => {
    const { stored, get, refresh } = setUp();
    stored.set("acme/A", "one");
    await get("A");
    stored.delete("acme/A");
    expect(await refresh("A")).toBeUndefined();
    expect(await get("A")).toBeUndefined();
  });
});
