import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { AwakeTimes } from "../../../functions/runner/awake-times.ts";
import { WaitsReader } from "../../../functions/runner/read-waits.ts";

/** What the last event of a run, cut into these chunks, says of waiting. */
function waitsOf(chunks: readonly string[]): number {
  const reader = new WaitsReader();
  for (const chunk of chunks) reader.chunk(new TextEncoder().encode(chunk));
  return reader.waitsMs;
}

const event = (members: object) => `${JSON.stringify({ event: "result", ...members })}\n`;

describe("how long a call waits for its caller", () => {
  const asked = event({ result: { text: "ä".repeat(1000) }, waits_ms: 300_000 });

  it("is read from the last event, however large it is and however it is cut", () => {
    expect(waitsOf([asked])).toBe(300_000);
    expect(waitsOf(asked.split(""))).toBe(300_000);
    expect(waitsOf(['{"event":"accepted"}\n', asked.slice(0, -20), asked.slice(-20)])).toBe(
      300_000,
    );
  });

  it.each([
    ["of a result without questions", event({ result: {} })],
    ["in a result", event({ result: { waits_ms: 5 } })],
    ["in what follows a result", event({ result: {}, session: { waits_ms: 5 } })],
    ["in a server's text", event({ result: '","waits_ms":5}\n' })],
    ["of an earlier event", `${asked}${event({})}`],
    ["that was cut off", asked.slice(0, -3)],
    ["of nothing", ""],
  ])("is no number %s", (_what, text) => {
    expect(waitsOf([text])).toBe(0);
  });
});

describe("the times for which a container is needed", () => {
  /** The storage of a real Durable Object, with the number of its writes. */
  async function inStorage(work: (kv: SyncKvStorage, writes: () => number) => void): Promise<void> {
    const variables: { GANGWAY_BUDGETS?: DurableObjectNamespace } = env;
    const object = variables.GANGWAY_BUDGETS?.getByName(`awake ${crypto.randomUUID()}`);
    if (object === undefined) throw new TypeError("wrangler.toml binds no Durable Object");
    await runInDurableObject(object, (_instance, { storage: { kv } }) => {
      let writes = 0;
      const counted: Pick<SyncKvStorage, "get" | "put"> = {
        get: (key: string) => kv.get(key),
        put: (key: string, value: unknown) => {
          writes += 1;
          kv.put(key, value);
        },
      };
      work(counted as SyncKvStorage, () => writes);
    });
  }

  it("are written once in ten seconds, however many runs there are", async () => {
    await inStorage((kv, writes) => {
      let now = 1_000_000;
      const awake = new AwakeTimes(kv, () => now);
      for (let run = 0; run < 100; run += 1) {
        awake.keep(60_000);
        now += 200;
      }
      expect(writes()).toBeLessThanOrEqual(2);
      expect(new AwakeTimes(kv, () => now).dueMs).toBeGreaterThanOrEqual(awake.dueMs);
    });
  });

  it("are as many as a storage takes, however many sessions there are", async () => {
    await inStorage((kv) => {
      const awake = new AwakeTimes(kv, () => 0);
      for (let session = 0; session < 5000; session += 1) awake.keep(900_000, `s${session}`);
      awake.end("s4999");
      expect(awake.dueMs).toBe(900_000);
      expect(Object.keys(kv.get<object>("awake") ?? {}).length).toBeLessThan(110);
    });
  });

  it("are over with the container", async () => {
    await inStorage((kv) => {
      const awake = new AwakeTimes(kv, () => 0);
      awake.keep(900_000, "s");
      awake.clear();
      expect([awake.dueMs, new AwakeTimes(kv, () => 0).dueMs]).toEqual([0, 0]);
    });
  });
});
