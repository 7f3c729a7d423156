import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { keptAnswer, listKeeper } from "../../../functions/runner/keep-list.ts";
import { keptForMs, ListStore, longestLine } from "../../../functions/runner/list-store.ts";

/** The storage of a real Durable Object: the edge's own kind, under a name of its own. */
function inStorage(work: (kv: SyncKvStorage) => void): Promise<void> {
  const variables: { GANGWAY_BUDGETS?: DurableObjectNamespace } = env;
  const object = variables.GANGWAY_BUDGETS?.getByName(`lists of ${crypto.randomUUID()}`);
  if (object === undefined) throw new TypeError("wrangler.toml binds no Durable Object");
  return runInDurableObject(object, (_instance, { storage }) => work(storage.kv));
}

const result = (warm: boolean) =>
  JSON.stringify({
    event: "result",
    result: { tools: [{ name: "echo" }] },
    session: { era: "legacy", protocol_version: "2025-11-25", warm },
    warnings: [],
    timings_ms: { call: 3 },
  });

/** What is kept of an answer that comes in these chunks. */
function keptOf(chunks: readonly string[]): string[] {
  const kept: string[] = [];
  const keeper = listKeeper((line) => kept.push(line));
  for (const chunk of chunks) keeper.chunk?.(new TextEncoder().encode(chunk));
  keeper.end?.();
  return kept;
}

describe("a list that passes by", () => {
  const events = `{"event":"accepted","contract":1}\n{"event":"sent"}\n${result(false)}\n`;

  it("is kept when its server was started for it, however it is cut into chunks", () => {
    expect(keptOf([events])).toEqual([result(false)]);
    expect(keptOf(events.split(""))).toEqual([result(false)]);
  });

  it.each([
    ["of a process that may have changed its lists", [`${result(true)}\n`]],
    ["that failed", ['{"event":"error","error":{"code":"X","message":"","executed":"no"}}\n']],
    ["that was cut off", [result(false).slice(0, -5)]],
    ["that is empty", []],
  ])("is not kept: one %s", (_what, chunks) => {
    expect(keptOf(chunks)).toEqual([]);
  });

  it("is not kept when it is larger than the store takes", async () => {
    const long = `${result(false).slice(0, -1)},"more":"${"x".repeat(longestLine)}"}\n`;
    await inStorage((kv) => {
      const store = new ListStore(kv, () => 0);
      const keeper = listKeeper((line) => store.put("k", line));
      keeper.chunk?.(new TextEncoder().encode(long));
      keeper.end?.();
      expect(store.get("k")).toBeNull();
    });
  });

  it("is answered as a run that says where it comes from", async () => {
    const answer = keptAnswer(result(false));
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    const told = (await new Response(answer.body).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told).toMatchObject([
      { event: "accepted", contract: 1 },
      { event: "result", kept: true, timings_ms: {}, result: { tools: [{ name: "echo" }] } },
    ]);
  });
});

describe("the store of lists", () => {
  it("forgets after a day", async () => {
    let now = 1000;
    await inStorage((kv) => {
      const store = new ListStore(kv, () => now);
      store.put("k", "line");
      now += keptForMs - 1;
      expect(store.get("k")).toBe("line");
      now += 1;
      expect(store.get("k")).toBeNull();
    });
  });

  it("keeps the newest 64", async () => {
    let now = 0;
    await inStorage((kv) => {
      const store = new ListStore(kv, () => now);
      for (now = 1; now <= 70; now += 1) store.put(`k${now}`, "line");
      const keys = Array.from({ length: 70 }, (_, index) => `k${index + 1}`);
      const kept = keys.filter((key) => store.get(key) !== null);
      expect([kept.length, kept[0]]).toEqual([64, "k7"]);
    });
  });
});
