import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readEvents,
  readerFor,
  readJson,
  type MessageReader,
} from "../../../../functions/edge/upstream/read-messages.ts";
import { failureOf } from "../../../integration/upstream/failure-of.ts";

const limits = { maxMessageBytes: 1_000, silenceMs: 1_000, target: "https://a.example" };

function bodyOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function readAll(reader: MessageReader, ...chunks: readonly Uint8Array[]) {
  const position = { lastEventId: null, retryMs: null };
  const { signal } = new AbortController();
  const messages: unknown[] = [];
  for await (const message of reader(bodyOf(...chunks), limits, signal, position))
    messages.push(message);
  return { messages, position };
}

const recorded =
  '\uFEFF: hello\n\nid: 1\r\nretry: 250\r\ndata: \r\n\r\nevent: message\ndata: {"a":\ndata: "ü€😀"}\nid: 2\n\n' +
  'event: ping\ndata: no json\n\ndata: [1]\r\rvendor: field\n\ndata:{"b":2}\n\ndata: {"cut":';

describe("readEvents", () => {
  it("reads events as the format says, wherever the chunks break", async () => {
    const whole = bytes(recorded);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 12 }), async (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const chunks = borders.slice(1).map((to, index) => whole.slice(borders[index], to));
        const { messages, position } = await readAll(readEvents, ...chunks);
        expect(messages).toEqual([{ a: "ü€😀" }, [1], { b: 2 }]);
        expect(position).toEqual({ lastEventId: "2", retryMs: 250 });
      }),
    );
  });

  it.each(["data: {{{\n\n", "<html>\n\n", "Internal error: line 5 of x\n\n"])(
    "refuses %j at once",
    async (text) => {
      expect((await failureOf(readAll(readEvents, bytes(text)))).code).toBe("RESPONSE_INVALID");
    },
  );

  it("refuses an event larger than the limit before it is complete", async () => {
    const failure = await failureOf(readAll(readEvents, bytes(`data: "${"x".repeat(1_100)}`)));
    expect(failure.code).toBe("RESPONSE_TOO_LARGE");
  });

  it("refuses an endless stream of small events", async () => {
    const events = Array.from({ length: 500 }, () => bytes("data: 123456789\n\n"));
    expect((await failureOf(readAll(readEvents, ...events))).code).toBe("RESPONSE_TOO_LARGE");
  });
});

describe("readJson", () => {
  it("reads one message, or each of a batch", async () => {
    expect((await readAll(readJson, bytes('{"a"'), bytes(":1}"))).messages).toEqual([{ a: 1 }]);
    expect((await readAll(readJson, bytes("[1,[2]]"))).messages).toEqual([1, [2]]);
  });

  it("refuses what is no JSON, or too large", async () => {
    expect((await failureOf(readAll(readJson, bytes("{")))).code).toBe("RESPONSE_INVALID");
    expect((await failureOf(readAll(readJson, bytes(`"${"x".repeat(1_000)}"`)))).code).toBe(
      "RESPONSE_TOO_LARGE",
    );
  });
});

describe("readerFor", () => {
  it.each([
    ["application/json", readJson],
    ["Application/JSON; charset=utf-8", readJson],
    ["text/event-stream;charset=utf-8", readEvents],
    ["text/html", null],
    ["application/jsonp", null],
    [null, null],
  ])("of %s", (type, reader) => {
    expect(readerFor(type)).toBe(reader);
  });
});
