import { describe, expect, it } from "vitest";
import { answerWhileStarting } from "../../../functions/runner/answer-while-starting.ts";
import { eventsAnswer } from "../../../functions/runner/answers.ts";
import { passOn } from "../../../functions/runner/pass-on.ts";
import { startFailure } from "../../../functions/runner/start-failure.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function eventsOf(answer: Response): Promise<Record<string, unknown>[]> {
  return (await new Response(answer.body).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("an answer that begins while the container starts", () => {
  it("goes on with what the host answers", async () => {
    const host = async () => eventsAnswer('{"event":"accepted","contract":1}\n{"event":"sent"}\n');
    expect(await eventsOf(answerWhileStarting(host, new AbortController()))).toEqual([
      { event: "phase", phase: "container" },
      { event: "accepted", contract: 1 },
      { event: "sent" },
    ]);
  });

  it.each([
    [
      "no room",
      startFailure(
        new Error("There is no container instance that can be provided to this durable object"),
      ),
      { code: "CAPACITY", retry_after_s: 10 },
    ],
    [
      "too many starts",
      startFailure(new Error("You are requesting too many containers per second")),
      { code: "CAPACITY", retry_after_s: 10 },
    ],
    [
      "a container that ends at once",
      startFailure(new Error("Container exited before we could determine the container health")),
      { code: "HOST_UNAVAILABLE", retry_after_s: 10 },
    ],
    ["a fault of the runner's own", new TypeError("inside"), { code: "INTERNAL" }],
  ])("tells %s as an error of a run that was not made", async (_what, failure, expected) => {
    const failing = () => Promise.reject(failure);
    const events = await eventsOf(answerWhileStarting(failing, new AbortController()));
    expect(events.at(-1)).toMatchObject({ event: "error", error: { executed: "no", ...expected } });
    expect(JSON.stringify(events)).not.toContain("inside");
  });

  it("tells a host's refusal as one, without its text", async () => {
    const refusal = new GatewayError("CAPACITY", "busy with secrets");
    const body = { success: false, error: { code: refusal.code, message: refusal.message } };
    const host = async () => Response.json(body, { status: 503, headers: { "retry-after": "7" } });
    const events = await eventsOf(answerWhileStarting(host, new AbortController()));
    expect(events.at(-1)).toMatchObject({
      error: { code: "CAPACITY", retry_after_s: 7, executed: "no" },
    });
    expect(JSON.stringify(events)).not.toContain("secrets");
  });

  it("tells whoever works for it that its reader has gone", async () => {
    const gone = new AbortController();
    const never = () => new Promise<Response>(() => undefined);
    const reader = answerWhileStarting(never, gone).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(gone.signal.aborted).toBe(true);
  });
});

describe("bytes that are passed on", () => {
  function source(chunks: readonly string[], ending: "closed" | "broken" | "open") {
    return new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encode(chunk));
        if (ending === "closed") controller.close();
        if (ending === "broken") controller.error(new TypeError("cut"));
      },
    });
  }

  function observed() {
    const told: string[] = [];
    const passing = {
      chunk: (chunk: Uint8Array) => void told.push(new TextDecoder().decode(chunk)),
      end: () => void told.push("end"),
      over: () => void told.push("over"),
      gone: () => void told.push("gone"),
    };
    return { told, passing };
  }

  it("arrive as they were, and their end is told", async () => {
    const { told, passing } = observed();
    expect(await new Response(passOn(source(["a", "b"], "closed"), passing)).text()).toBe("ab");
    expect(told).toEqual(["a", "b", "end", "over"]);
  });

  it("break off where their source does", async () => {
    const { told, passing } = observed();
    const passed = new Response(passOn(source([], "broken"), passing));
    await expect(passed.text()).rejects.toThrow("cut");
    expect(told).toEqual(["over"]);
  });

  it("tell once that their reader has gone, though it wakes the read that waits", async () => {
    const { told, passing } = observed();
    const waiting = new TransformStream<Uint8Array, Uint8Array>();
    const writer = waiting.writable.getWriter();
    const gone = () => {
      passing.gone();
      void writer.abort(new TypeError("aborted")).catch(() => undefined);
    };
    const reader = passOn(waiting.readable, { ...passing, gone }).getReader();
    const first = reader.read();
    await writer.write(encode("a"));
    await first;
    await reader.cancel();
    expect(told).toEqual(["a", "gone", "over"]);
  });
});
