import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openEventStream } from "../../../../functions/host/http/event-stream.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A server that answers with `answer`; resolves with the answer as a client sees it. */
async function ask(answer: (response: ServerResponse) => void): Promise<Response> {
  const server = createServer((_request, response) => answer(response));
  closers.push(() => server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe("openEventStream", () => {
  it("writes one JSON line an event, and nothing after the end", async () => {
    const gone: string[] = [];
    const answered = await ask((response) => {
      const stream = openEventStream(response, { pingMs: 60_000, onGone: () => gone.push("gone") });
      stream.emit({ event: "accepted", contract: 1 });
      stream.emit({ event: "log", level: "info", data: "two\nlines" });
      stream.end();
      stream.emit({ event: "sent" });
      stream.end();
    });
    expect(answered.headers.get("content-type")).toBe("application/x-ndjson");
    expect(await answered.text()).toBe(
      '{"event":"accepted","contract":1}\n{"event":"log","level":"info","data":"two\\nlines"}\n',
    );
    expect(gone).toEqual([]);
  });

  it("sends the first event before there is a second one", async () => {
    const answered = await ask((response) =>
      openEventStream(response, { pingMs: 60_000, onGone: () => undefined }).emit({
        event: "accepted",
        contract: 1,
      }),
    );
    const { value } = (await answered.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('{"event":"accepted","contract":1}\n');
  });

  it("pings in silence, again and again", async () => {
    const answered = await ask((response) =>
      openEventStream(response, { pingMs: 5, onGone: () => undefined }).emit({
        event: "accepted",
        contract: 1,
      }),
    );
    let text = "";
    for await (const chunk of answered.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.split("\n").length > 3) break;
    }
    expect(text.split("\n").slice(1, 3)).toEqual(['{"event":"ping"}', '{"event":"ping"}']);
  });

  it("leaves out what a slow reader has no room for, but never the result", async () => {
    const told = Promise.withResolvers<boolean[]>();
    const log = { event: "log", level: "info", data: "x".repeat(1024 * 1024) } as const;
    const answered = await ask((response) => {
      const stream = openEventStream(response, { pingMs: 60_000, onGone: () => undefined });
      const logs = Array.from({ length: 20 }, () => stream.emit(log));
      told.resolve([...logs, stream.emit({ event: "sent" })]);
      stream.end();
    });
    const passed = await told.promise;
    expect(passed.at(-1)).toBe(true);
    const left = passed.filter((passes) => passes).length;
    expect(left).toBeLessThan(5);
    const lines = (await answered.text()).trim().split("\n");
    expect(lines).toHaveLength(left);
    expect(lines.at(-1)).toBe('{"event":"sent"}');
  });

  it("tells that the reader went away, and writes nothing more", async () => {
    const gone = Promise.withResolvers<string>();
    const answered = await ask((response) => {
      const stream = openEventStream(response, {
        pingMs: 60_000,
        onGone: () => {
          stream.emit({ event: "sent" });
          stream.end();
          gone.resolve("gone");
        },
      });
      stream.emit({ event: "accepted", contract: 1 });
    });
    await answered.body?.cancel();
    expect(await gone.promise).toBe("gone");
  });
});
