import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readSseEvents,
  type SseEvent,
  type SseLimits,
} from "../../../../functions/edge/upstream/sse-events.ts";

const limits: SseLimits = {
  maxMessageBytes: 1_000,
  maxStreamBytes: 10_000,
  maxEvents: 20,
  silenceMs: 1_000,
  target: "https://mcp.example.com",
};

/** A body of `bytes`, in chunks of the given sizes; the last one holds the rest. */
function bodyOf(bytes: Uint8Array, sizes: readonly number[] = []): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      let from = 0;
      for (const size of [...sizes, bytes.length]) {
        if (from >= bytes.length) break;
        controller.enqueue(bytes.subarray(from, from + size));
        from += size;
      }
      controller.close();
    },
  });
}

async function read(text: string, sizes?: readonly number[]): Promise<SseEvent[]> {
  const body = bodyOf(new TextEncoder().encode(text), sizes);
  const events: SseEvent[] = [];
  for await (const event of readSseEvents(body, limits, new AbortController().signal)) {
    events.push(event);
  }
  return events;
}

describe("the events of a stream", () => {
  it("have a type and their data; comments, other fields and empty events are skipped", async () => {
    const text =
      "\uFEFF: hello\nretry: 10\nevent: endpoint\ndata: /m\n\nid: 7\ndata: a\ndata: b\n\ndata:\n\nother: 1\ndata: c\r\n\r\n";
    expect(await read(text)).toEqual([
      { type: "endpoint", data: "/m" },
      { type: "message", data: "a\nb" },
      { type: "message", data: "c" },
    ]);
  });

  it("do not depend on how the bytes are cut into chunks", async () => {
    const text = "event: endpoint\ndata: /grüße\n\ndata: 😀 1\r\n\r\n: c\n\ndata: 2\n\n";
    const whole = await read(text);
    expect(whole).toHaveLength(3);
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, async (cuts) => {
        expect(await read(text, cuts)).toEqual(whole);
      }),
    );
  });

  it("that are not complete are not delivered", async () => {
    expect(await read("data: 1\n\ndata: 2\n")).toEqual([{ type: "message", data: "1" }]);
  });

  it.each([
    ["one line above the limit", `data: ${"x".repeat(1_001)}`, "limit_bytes", 1_000],
    ["one event above the limit", "data: xxxxxxxxxx\n".repeat(120), "limit_bytes", 1_000],
    ["comments above the limit", ": xxxxxxxxxx\n".repeat(100), "limit_bytes", 1_000],
    ["a stream above the limit", `data: ${"x".repeat(700)}\n\n`.repeat(15), "limit_bytes", 10_000],
    ["more events than the limit", "data: 1\n\n".repeat(21), "limit_events", 20],
  ])("end at %s", async (_, text, limit, value) => {
    const sizes = Array.from({ length: 2_000 }, () => 100);
    await expect(read(text, sizes)).rejects.toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      executed: "maybe",
      details: { [limit]: value },
    });
  });

  it("end at a line that is no field", async () => {
    await expect(read("Internal error near line 5\n\n")).rejects.toMatchObject({
      code: "RESPONSE_INVALID",
    });
  });

  it("end quietly when their reader stops", async () => {
    const stop = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    });
    const events: SseEvent[] = [];
    for await (const event of readSseEvents(body, limits, stop.signal)) {
      events.push(event);
      stop.abort();
    }
    expect(events).toHaveLength(1);
  });
});
