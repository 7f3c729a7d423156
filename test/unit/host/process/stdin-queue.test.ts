import { Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { maxQueuedBytes, StdinQueue } from "../../../../functions/host/process/stdin-queue.ts";

const answer = { isAnswer: true };
const request = { isAnswer: false };

/** A stdin whose reader takes a frame only when `read` is called. */
function open(stallMs = 60_000) {
  const unread: ((error?: Error) => void)[] = [];
  const stdin = new Writable({
    write: (_chunk, _encoding, done) => void unread.push(done),
    // A pipe cancels the write that is under way.
    destroy: (error, done) => (unread.forEach((cancel) => cancel(new TypeError())), done(error)),
  });
  const pressure: boolean[] = [];
  const stuck = Promise.withResolvers<void>();
  const onStuck = vi.fn<() => void>(stuck.resolve);
  const queue = new StdinQueue(stdin, {
    onPressure: (exists) => pressure.push(exists),
    onStuck,
    stallMs,
  });
  /** Writes without waiting; answers the promises' outcomes later. */
  const write = (frame: string, kind: { isAnswer: boolean }) =>
    queue.write(frame, kind).then(
      () => "written",
      () => "refused",
    );
  const read = async (frames: number) => {
    for (let one = 0; one < frames; one += 1) {
      unread.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { queue, pressure, onStuck, stuck: stuck.promise, write, read };
}

describe("StdinQueue", () => {
  it("tells of too many answers that wait, and of relief, once each", async () => {
    const { pressure, write, read, queue } = open();
    for (let one = 0; one < 256; one += 1) void write("x\n", answer);
    expect(pressure).toEqual([]);
    void write("x\n", answer);
    void write("x\n", answer);
    expect(pressure).toEqual([true]);
    await read(3);
    expect(pressure).toEqual([true, false]);
    queue.close();
  });

  it("tells of few answers that are large", () => {
    const { pressure, write, queue } = open();
    void write("x".repeat(1024 * 1024), answer);
    expect(pressure).toEqual([]);
    void write("x", answer);
    expect(pressure).toEqual([true]);
    queue.close();
  });

  it("lets requests of callers wait without pressure", () => {
    const { pressure, onStuck, write, queue } = open();
    for (let one = 0; one < 1000; one += 1) void write("x".repeat(10_000), request);
    expect(pressure).toEqual([]);
    expect(onStuck).not.toHaveBeenCalled();
    queue.close();
  });

  it("gives up a server that reads none of its answers in time, and refuses all further writes", async () => {
    const { queue, stuck, write } = open(20);
    for (let one = 0; one < 300; one += 1) void write("x\n", answer);
    await stuck;
    expect(await write("x\n", request)).toBe("refused");
    expect(queue.queuedBytes).toBe(600);
    queue.close();
  });

  it("holds at most the bound and one frame, whatever is written", async () => {
    const { queue, onStuck, write } = open();
    const frame = "x".repeat(3 * 1024 * 1024);
    for (let one = 0; one < 40; one += 1) void write(frame, request);
    expect(queue.queuedBytes).toBeLessThanOrEqual(maxQueuedBytes + frame.length);
    expect(onStuck).toHaveBeenCalledTimes(1);
    expect(await write("x\n", request)).toBe("refused");
    queue.close();
  });

  it("frees what waits when it is closed, and its writers are told", async () => {
    const { queue, write } = open();
    const outcomes = [write("x\n", answer), write("y\n", request)];
    queue.close();
    expect(await Promise.all(outcomes)).toEqual(["refused", "refused"]);
    expect(await write("z\n", request)).toBe("refused");
  });
});
