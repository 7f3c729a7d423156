import { afterEach, describe, expect, it, vi } from "vitest";
import { StandingStream } from "../../../../functions/edge/upstream/standing-stream.ts";

afterEach(() => {
  vi.useRealTimers();
});

function standing(ask: (signal: AbortSignal) => Promise<Response>) {
  const failures: unknown[] = [];
  const messages: object[] = [];
  const stream = new StandingStream({
    limits: { maxMessageBytes: 1_000, silenceMs: 60_000, target: "https://mcp.example.com" },
    ask: (_lastEventId, signal) => ask(signal),
    onMessage: (message) => messages.push(message),
    onFailure: (error) => failures.push(error),
  });
  return { stream, failures, messages };
}

/** As `fetch` does: nothing until the signal aborts. */
function hang(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason));
  return promise;
}

describe("StandingStream", () => {
  it("gives up a server that sends no head, and asks no more", async () => {
    vi.useFakeTimers();
    const asked: AbortSignal[] = [];
    const { stream, failures } = standing((signal) => {
      asked.push(signal);
      return hang(signal);
    });
    void stream.open();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
    expect(failures).toEqual([]);
  });

  it("keeps a stream whose head has come", async () => {
    vi.useFakeTimers();
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "text/event-stream" };
    const { stream, messages } = standing(async () => new Response(body.readable, { headers }));
    await stream.open();
    await vi.advanceTimersByTimeAsync(30_000);
    const event = 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n';
    void body.writable.getWriter().write(new TextEncoder().encode(event));
    await vi.advanceTimersByTimeAsync(1);
    expect(messages).toEqual([{ jsonrpc: "2.0", method: "notifications/x" }]);
    stream.close();
  });
});
