import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { WaitsReader } from "../../../functions/runner/read-waits.ts";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { isRunning, until } from "../../support/host-processes.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  type RunChanges,
  textOf,
} from "../../support/run-request.ts";
import { eventsOf, occupy } from "../../support/start-host.ts";

let host: FixtureHost;

afterEach(() => host.dispose());

async function start(environment: Record<string, string> = {}): Promise<void> {
  host = await startFixtureHost({
    GANGWAY_HOST_STOP_GRACE_MS: "200",
    GANGWAY_HOST_DRAIN_MS: "100",
    ...environment,
  });
}

const able = { client_capabilities: { elicitation: {}, sampling: {}, roots: {} } };
const ask = (tool: string, changes: RunChanges = able, args = {}) =>
  host.run(callRequest("asker", tool, args, changes));
const goOn = (state: string, responses: Record<string, unknown>, changes: RunChanges = able) =>
  host.run(
    callRequest(
      "asker",
      "ignored",
      {},
      {
        ...changes,
        operation: { method: "continue", params: { state, responses } },
      },
    ),
  );

interface Asked {
  readonly state: string;
  readonly questions: Record<string, { method: string; params: Record<string, unknown> }>;
  readonly keys: readonly string[];
}

function askedOf(events: readonly RunEvent[]): Asked {
  const { result } = resultOf(events);
  expect(result).toMatchObject({ resultType: "input_required" });
  const { inputRequests, requestState } = result as never as {
    inputRequests: Asked["questions"];
    requestState: string;
  };
  return { state: requestState, questions: inputRequests, keys: Object.keys(inputRequests) };
}

const accepted = (name: string) => ({ action: "accept", content: { name } });

describe("a server that asks during a call", () => {
  it("is answered over several runs, and the call is made once", async () => {
    await start();
    const events = await ask("ask", able, { a: 1 });
    expect(resultOf(events)).toMatchObject({ waits_ms: 300_000, session: { era: "legacy" } });
    const first = askedOf(events);
    expect(first.state).toMatch(/^gww1\./);
    expect(first.questions).toEqual({
      q1: { method: "elicitation/create", params: expect.objectContaining({ message: "First? " }) },
    });
    const second = askedOf(await goOn(first.state, { q1: accepted("Ada") }));
    expect(second.state).not.toBe(first.state);
    expect(second.questions).toMatchObject({ q2: { params: { message: "Second?" } } });
    const last = await goOn(second.state, { q2: { action: "decline" } });
    expect(JSON.parse(textOf(last))).toEqual([{ a: 1 }, accepted("Ada"), { action: "decline" }]);
    expect(eventsNamed(last, "sent")).toHaveLength(1);
  });

  it("asks forms, the client's model and its roots alike", async () => {
    await start();
    const answers = [
      accepted("x"),
      { role: "assistant", content: { type: "text", text: "y" }, model: "m" },
      { roots: [] },
    ];
    let events = await ask("each");
    const methods: unknown[] = [];
    for (const answer of answers) {
      const { state, keys, questions } = askedOf(events);
      methods.push(...Object.values(questions).map(({ method }) => method));
      events = await goOn(state, { [String(keys[0])]: answer });
    }
    expect(methods).toEqual(["elicitation/create", "sampling/createMessage", "roots/list"]);
    expect(JSON.parse(textOf(events))).toEqual(answers);
  });

  it("may ask twice at once, and what has no answer is asked again", async () => {
    await start();
    let asked = askedOf(await ask("together"));
    while (asked.keys.length === 1) asked = askedOf(await goOn(asked.state, {}));
    expect(asked.keys).toEqual(["q1", "q2"]);
    const again = askedOf(await goOn(asked.state, { q2: accepted("b"), q1: "no object" }));
    expect(again.keys).toEqual(["q1"]);
    const last = await goOn(again.state, { q1: accepted("a") });
    expect(JSON.parse(textOf(last))).toEqual([accepted("a"), accepted("b")]);
  });

  it("that takes its question back goes on, and its answer waits for the caller", async () => {
    await start();
    const events = await ask("impatient");
    const told = isAsked(events)
      ? await goOn(askedOf(events).state, { q1: accepted("late") })
      : events;
    expect(textOf(told)).toBe("went on alone");
  });

  it("is continued once: the second time is told, and answers nothing", async () => {
    await start();
    const first = askedOf(await ask("ask"));
    const second = askedOf(await goOn(first.state, { q1: accepted("Ada") }));
    const repeated = errorOf(await goOn(first.state, { q1: accepted("Eve") }));
    expect(repeated).toMatchObject({ code: "REQUEST_STATE_USED", executed: "maybe" });
    const last = await goOn(second.state, { q2: accepted("Grace") });
    expect(JSON.parse(textOf(last)).slice(1)).toEqual([accepted("Ada"), accepted("Grace")]);
    expect(errorOf(await goOn("gww1.unknown", {}))).toMatchObject({
      code: "REQUEST_STATE_EXPIRED",
      executed: "maybe",
    });
  });

  it("is not continued with other values than it began with, and waits on", async () => {
    await start();
    const { state } = askedOf(await ask("ask"));
    const other = { ...able, pool_key: "of-other-inputs" };
    expect(errorOf(await goOn(state, { q1: accepted("Eve") }, other))).toMatchObject({
      code: "REQUEST_STATE_INVALID",
      executed: "no",
    });
    const second = askedOf(await goOn(state, { q1: accepted("Ada") }));
    expect(second.questions).toMatchObject({ q2: { params: { message: "Second?" } } });
  });

  it("that dies while it waits is told to the run that answers", async () => {
    await start();
    const { state } = askedOf(await ask("die"));
    await until("it has died", () => host.log.some(({ msg }) => msg === "run answered"));
    const error = errorOf(await goOn(state, { q1: accepted("Ada") }));
    expect(error).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { exit_code: 7 },
    });
  });

  it("tells how long it waits at the end of its events, where the runner looks for it", async () => {
    await start();
    const reader = new WaitsReader();
    const answer = await host.send(callRequest("asker", "ask", { a: 1 }, able));
    for await (const chunk of answer.body ?? []) reader.chunk(chunk);
    expect(reader.waitsMs).toBe(300_000);
  });

  it("waits for no longer than it may: its question is cancelled, the late answer is told", async () => {
    await start({ GANGWAY_HOST_INPUT_WAIT_S: "1" });
    const session = { id: randomUUID(), start: true, idle_ms: 60_000 };
    const events = await ask("ask", { ...able, session });
    expect(resultOf(events).waits_ms).toBe(1000);
    const { state } = askedOf(events);
    const cancelled = JSON.stringify([{}, { action: "cancel" }, { action: "cancel" }]);
    await until(
      "the call has gone on without its caller",
      async () => textOf(await ask("last", { ...able, session })) === cancelled,
    );
    expect(errorOf(await goOn(state, { q1: accepted("Ada") }))).toMatchObject({
      code: "REQUEST_STATE_EXPIRED",
      executed: "maybe",
      message: expect.stringContaining("1000 ms"),
    });
  });

  it("is cancelled at the server when the caller of an answering run goes away", async () => {
    await start();
    const session = { id: randomUUID(), start: true, idle_ms: 60_000 };
    const { state } = askedOf(await ask("stall", { ...able, session }));
    const gone = new AbortController();
    const operation = { method: "continue" as const, params: { state, responses: { q1: {} } } };
    const response = await host.send(
      callRequest("asker", "ignored", {}, { ...able, operation }),
      gone.signal,
    );
    const reading = eventsOf(response);
    await reading.next();
    expect((await reading.next()).value).toMatchObject({ event: "sent" });
    gone.abort();
    await until(
      "the server knows",
      async () => textOf(await ask("cancellations", { ...able, session })) === "1",
    );
  });

  it("keeps waiting when the caller that was asked has gone away", async () => {
    await start();
    const events: RunEvent[] = [];
    for await (const event of eventsOf(await host.send(callRequest("asker", "ask", {}, able)))) {
      events.push(event);
      if (event.event === "result") break; // Closes the connection.
    }
    const second = askedOf(await goOn(askedOf(events).state, { q1: accepted("Ada") }));
    expect(second.keys).toEqual(["q2"]);
  });

  it("gets the time of the answering run, and none of the waiting is counted", async () => {
    await start();
    const limits = { call_ms: 1500, progress_extends_to_ms: 1500 };
    const { state } = askedOf(await ask("stall", { ...able, limits }));
    const { timings_ms } = resultOf(await ask("pid"));
    expect(timings_ms).toHaveProperty("call");
    const error = errorOf(
      await goOn(
        state,
        { q1: {} },
        { ...able, limits: { ...limits, call_ms: 50, progress_extends_to_ms: 50 } },
      ),
    );
    expect(error).toMatchObject({
      code: "REQUEST_TIMEOUT",
      executed: "maybe",
      details: { timeout_ms: 50 },
    });
  });
});

describe("a question is refused, as the protocol says", () => {
  const refusals = [{ action: "cancel" }, { error: -1 }, { error: -32_601 }];

  it("when the caller has not said that it can answer, since nothing is declared", async () => {
    await start();
    expect(textOf(await ask("declared", {}))).toBe("{}");
    const events = await ask("each", {});
    expect(JSON.parse(textOf(events))).toEqual(refusals);
    expect(resultOf(events).warnings.map(({ code }) => code)).toEqual(
      Array(3).fill("QUESTION_REFUSED"),
    );
  });

  it("when it is of a kind that the caller has not declared", async () => {
    await start();
    const some = { client_capabilities: { elicitation: { form: {} } } };
    expect(JSON.parse(textOf(await ask("declared", some)))).toEqual({ elicitation: { form: {} } });
    const { state } = askedOf(await ask("each", some));
    const last = await goOn(state, { q1: accepted("x") }, some);
    expect(JSON.parse(textOf(last))).toEqual([accepted("x"), ...refusals.slice(1)]);
  });

  it("when no client knows its kind", async () => {
    await start();
    expect(JSON.parse(textOf(await ask("strange")))).toEqual([{ error: -32_601 }]);
  });

  it("when more than one call is in flight on its process", async () => {
    await start();
    await occupy(host, callRequest("asker", "hang", {}, able));
    expect(JSON.parse(textOf(await ask("each")))).toEqual(refusals);
  });

  it("when as many processes wait as may", async () => {
    await start({ GANGWAY_HOST_MAX_HELD: "1" });
    const { state } = askedOf(await ask("ask"));
    expect(JSON.parse(textOf(await ask("each")))).toEqual(refusals);
    const second = askedOf(await goOn(state, { q1: accepted("Ada") }));
    await goOn(second.state, { q2: accepted("Grace") });
    expect(askedOf(await ask("ask")).keys).toEqual(["q1"]);
  });
});

describe("a process that waits for an answer", () => {
  it("serves no other run, nor callers that declare something else", async () => {
    await start();
    const pids = [
      await ask("pid"),
      await ask("pid", {}),
      await ask("pid", { client_capabilities: { roots: {} } }),
    ];
    const [waiting, ...others] = pids.map((events) => Number(textOf(events)));
    expect(new Set([waiting, ...others]).size).toBe(3);
    const { state } = askedOf(await ask("ask"));
    const next = Number(textOf(await ask("pid")));
    expect([waiting, ...others]).not.toContain(next);
    const second = askedOf(await goOn(state, { q1: accepted("Ada") }));
    await goOn(second.state, { q2: accepted("Grace") });
    await until("it has ended after its call", () => !isRunning(waiting ?? 0));
    expect(Number(textOf(await ask("pid")))).toBe(next);
  });

  it("is not left behind by its host", async () => {
    await start();
    const pid = Number(textOf(await ask("pid")));
    askedOf(await ask("ask"));
    expect(isRunning(pid)).toBe(true);
    await host.end("SIGKILL");
    await until("it is gone", () => !isRunning(pid));
  });
});

function isAsked(events: readonly RunEvent[]): boolean {
  return resultOf(events).result["resultType"] === "input_required";
}
