import { describe, expect, it } from "vitest";
import { HeaderSlots } from "../../../../functions/edge/upstream/header-slots.ts";
import { ServerTurns } from "../../../../functions/edge/upstream/server-turns.ts";

const never = new AbortController().signal;

/** Takes a slot and tells whether it is had by now. */
function ask(slots: HeaderSlots, signal: AbortSignal = never) {
  const asked = { had: false, failed: undefined as unknown, release: () => {} };
  void slots.take(signal).then(
    (release) => Object.assign(asked, { had: true, release }),
    (error: unknown) => Object.assign(asked, { failed: error }),
  );
  return asked;
}

/** Lets promises that are settled tell so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("slots for response headers", () => {
  it("are five, and the sixth is had when one is given back", async () => {
    const slots = new HeaderSlots();
    const asked = Array.from({ length: 7 }, () => ask(slots));
    await settle();
    expect(asked.map(({ had }) => had)).toEqual([true, true, true, true, true, false, false]);
    asked[2]?.release();
    asked[2]?.release();
    await settle();
    expect(asked.map(({ had }) => had)).toEqual([true, true, true, true, true, true, false]);
  });

  it("are not lost to one that goes away while it waits", async () => {
    const slots = new HeaderSlots();
    const held = Array.from({ length: 5 }, () => ask(slots));
    const gone = new AbortController();
    const [first, second] = [ask(slots, gone.signal), ask(slots)];
    await settle();
    gone.abort("gone");
    held[0]?.release();
    await settle();
    expect([first.had, first.failed, second.had]).toEqual([false, "gone", true]);
  });

  it("are refused to one that has gone already", async () => {
    await expect(new HeaderSlots().take(AbortSignal.abort("gone"))).rejects.toBe("gone");
  });

  it("are all free again when everyone is done", async () => {
    const slots = new HeaderSlots();
    for (let round = 0; round < 3; round += 1) {
      const asked = Array.from({ length: 20 }, () => ask(slots));
      for (const one of asked) {
        await settle();
        one.release();
      }
    }
    const last = Array.from({ length: 6 }, () => ask(slots));
    await settle();
    expect(last.filter(({ had }) => had)).toHaveLength(5);
  });
});

describe("turns of one server", () => {
  it("let a request go at once that has one, with every slot taken", async () => {
    const slots = new HeaderSlots();
    const turns = new ServerTurns(slots);
    const end = await turns.take("request", never);
    const others = Array.from({ length: 5 }, () => ask(slots));
    await settle();
    expect(others.map(({ had }) => had)).toEqual([true, true, true, true, false]);
    expect(await turns.run(never, async () => "sent")).toBe("sent");
    await settle();
    expect(others.at(-1)?.had).toBe(true);
    end();
    expect(ask(slots).had).toBe(false);
  });

  it("hold one slot for all requests of a handshake", async () => {
    const slots = new HeaderSlots();
    const turns = new ServerTurns(slots);
    const end = await turns.take("handshake", never);
    const others = Array.from({ length: 5 }, () => ask(slots));
    for (const name of ["initialize", "initialized"]) {
      expect(await turns.run(never, async () => name)).toBe(name);
    }
    await settle();
    expect(others.at(-1)?.had).toBe(false);
    end();
    await settle();
    expect(others.at(-1)?.had).toBe(true);
  });

  it("give the slot back of a request that fails, or is never sent", async () => {
    const slots = new HeaderSlots();
    const turns = new ServerTurns(slots);
    await turns.take("request", never);
    await expect(turns.run(never, () => Promise.reject(new RangeError("lost")))).rejects.toThrow(
      "lost",
    );
    (await turns.take("request", never))();
    await expect(turns.run(never, () => Promise.reject(new RangeError("lost")))).rejects.toThrow(
      "lost",
    );
    const all = Array.from({ length: 5 }, () => ask(slots));
    await settle();
    expect(all.every(({ had }) => had)).toBe(true);
  });
});
