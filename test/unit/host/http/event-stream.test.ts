import { describe, expect, it } from "vitest";
import { openEventStream } from "../../../../functions/host/http/event-stream.ts";

describe("openEventStream", () => {
  it("writes one JSON line an event, and nothing after the end", async () => {
    const stream = openEventStream({ pingMs: 60_000, onCancel: () => undefined });
    stream.emit({ event: "accepted", contract: 1 });
    stream.emit({ event: "log", level: "info", data: "two\nlines" });
    stream.end();
    stream.emit({ event: "sent" });
    stream.end();
    const text = await new Response(stream.body).text();
    expect(text).toBe(
      '{"event":"accepted","contract":1}\n{"event":"log","level":"info","data":"two\\nlines"}\n',
    );
  });

  it("pings in silence, again and again", async () => {
    const stream = openEventStream({ pingMs: 5, onCancel: () => undefined });
    stream.emit({ event: "accepted", contract: 1 });
    const reader = stream.body.getReader();
    const lines: string[] = [];
    for (let count = 0; count < 3; count += 1)
      lines.push(new TextDecoder().decode((await reader.read()).value));
    await reader.cancel();
    expect(lines.slice(1)).toEqual(['{"event":"ping"}\n', '{"event":"ping"}\n']);
  });

  it("tells once that the reader went away", async () => {
    let cancels = 0;
    const stream = openEventStream({ pingMs: 60_000, onCancel: () => void (cancels += 1) });
    stream.emit({ event: "accepted", contract: 1 });
    await stream.body.cancel();
    stream.emit({ event: "sent" });
    stream.end();
    expect(cancels).toBe(1);
  });
});
