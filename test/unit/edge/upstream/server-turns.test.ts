import { describe, expect, it } from "vitest";
import { HeaderSlots } from "../../../../functions/edge/upstream/header-slots.ts";
import { ServerTurns } from "../../../../functions/edge/upstream/server-turns.ts";

/** A request whose response headers never come; `sent` counts those that have left. */
function hangingRequests() {
  const sent: number[] = [];
  const send = (n: number) => (): Promise<never> => {
    sent.push(n);
    return Promise.withResolvers<never>().promise;
  };
  return { sent, send };
}

/** Lets everything that waits for nothing else go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("ServerTurns", () => {
  it("leaves slots to other servers, however many messages one server makes it answer", async () => {
    const slots = new HeaderSlots();
    const hostile = new ServerTurns(slots);
    const { sent, send } = hangingRequests();
    for (let n = 0; n < 100; n += 1) void hostile.run(null, send(n));
    await settled();
    expect(sent).toEqual([0, 1]);
    const answered = await new ServerTurns(slots).run(null, async () => "answered");
    expect(answered).toBe("answered");
  });

  it("sends what has a turn at once, whatever waits beside it", async () => {
    const turns = new ServerTurns(new HeaderSlots());
    const { send } = hangingRequests();
    for (let n = 0; n < 4; n += 1) void turns.run(null, send(n));
    await settled();
    await turns.take("request", new AbortController().signal);
    expect(await turns.run(null, async () => "sent")).toBe("sent");
  });

  it("lets a message leave the queue whose time is over", async () => {
    const turns = new ServerTurns(new HeaderSlots());
    const { sent, send } = hangingRequests();
    for (let n = 0; n < 2; n += 1) void turns.run(null, send(n));
    const leaving = new AbortController();
    const third = turns.run(leaving.signal, send(2));
    await settled();
    leaving.abort("over");
    await expect(third).rejects.toBe("over");
    expect(sent).toEqual([0, 1]);
  });
});
