import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openEventStream } from "../../../../functions/edge/routes/event-stream.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const gone: string[] = [];
  const stream = openEventStream({ keepAliveMs: 15_000, onGone: () => gone.push("gone") });
  const reader = stream.body.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  return { stream, reader, read, gone };
}

describe("an event stream", () => {
  it("begins with a comment at once, and repeats one every 15 seconds (case 37)", async () => {
    const { read, stream } = open();
    expect(await read()).toBe(":\n\n");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await read()).toBe(":\n\n");
    await vi.advanceTimersByTimeAsync(14_999);
    stream.send("result", { text: "a\nb" });
    expect(await read()).toBe('event: result\ndata: {"text":"a\\nb"}\n\n');
  });

  it("tells once when its reader goes away, and stops its comments", async () => {
    const { reader, gone, stream } = open();
    await reader.cancel();
    expect(gone).toEqual(["gone"]);
    expect(vi.getTimerCount()).toBe(0);
    stream.send("result", {});
    stream.end();
    expect(gone).toEqual(["gone"]);
  });

  it("leaves out what a slow reader has no room for, but never what must be sent", async () => {
    const { stream, reader } = open();
    const large = "x".repeat(600_000);
    expect([
      stream.offer("log", large),
      stream.offer("log", large),
      stream.offer("log", 1),
    ]).toEqual([true, true, false]);
    stream.send("result", 1);
    stream.end();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value);
    }
    expect(text.match(/event: \w+/g)).toEqual(["event: log", "event: log", "event: result"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
