import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { RunEvent, RunRequest } from "../../../shared/run-contract/contract.ts";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { isRunning, until } from "../../support/host-processes.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  type RunChanges,
  runRequest,
  textOf,
} from "../../support/run-request.ts";
import { occupy, readEvents } from "../../support/start-host.ts";

let host: FixtureHost;

afterEach(() => host.dispose());

async function start(environment: Record<string, string> = {}): Promise<void> {
  host = await startFixtureHost({
    GANGWAY_HOST_STOP_GRACE_MS: "200",
    GANGWAY_HOST_DRAIN_MS: "100",
    ...environment,
  });
}

const begun = (id = randomUUID(), idle_ms = 60_000) => ({ id, start: true, idle_ms });
type Session = ReturnType<typeof begun>;
const goingOn = (session: Session) => ({ ...session, start: false });

/** A call of the asker in a session. */
const call = (session: Session, tool: string, changes: RunChanges = {}) =>
  callRequest("asker", tool, {}, { session, ...changes });
const textIn = async (session: Session, tool: string, changes: RunChanges = {}) =>
  textOf(await host.run(call(session, tool, changes)));
const end = (session: Session): RunRequest =>
  runRequest("asker", { session: goingOn(session), operation: { method: "end-session" } });

describe("a session", () => {
  it("is a process of its own, whose state goes on (case 8)", async () => {
    await start();
    const [one, two] = [begun(), begun()];
    const first = await host.run(call(one, "count"));
    expect(eventsNamed(first, "accepted")[0]).toMatchObject({ sessions: true });
    expect(resultOf(first).session).toMatchObject({ id: one.id, warm: false });
    const second = await host.run(call(goingOn(one), "count"));
    expect(resultOf(second).session).toMatchObject({ id: one.id, warm: true });
    expect([textOf(first), textOf(second)]).toEqual(["1", "2"]);
    expect([await textIn(two, "count"), await textIn(goingOn(one), "count")]).toEqual(["1", "3"]);
    const plain = await host.run(callRequest("asker", "count"));
    expect([textOf(plain), resultOf(plain).session.id]).toEqual(["1", undefined]);
  });

  it("starts one process for the calls that begin it together (case 13)", async () => {
    await start();
    const session = begun();
    const pids = await Promise.all(Array.from({ length: 5 }, () => textIn(session, "pid")));
    expect(new Set(pids).size).toBe(1);
  });

  it("outlives a changed launch: the process has what it began with", async () => {
    await start();
    const session = begun();
    const pid = await textIn(session, "pid");
    const changed = { launch: { secret_env: { TOKEN: "rotated" } } };
    expect(await textIn(goingOn(session), "pid", changed)).toBe(pid);
  });

  it("that is not there is told, and no process is started for it (case 8)", async () => {
    await start();
    const error = errorOf(await host.run(call(goingOn(begun()), "count")));
    expect(error).toMatchObject({ code: "SESSION_EXPIRED", executed: "no" });
    expect(host.log.some(({ msg }) => msg === "package installed")).toBe(false);
  });

  it("ends when it was not used for its idle time, and says so (case 19)", async () => {
    await start({ GANGWAY_HOST_IDLE_MS: "60000" });
    const session = begun(randomUUID(), 100);
    const pid = Number(await textIn(session, "pid"));
    await until("the idle process is gone", () => !isRunning(pid));
    // The host may learn of an end a moment after the process table has it.
    await until("the host has seen it", async () => {
      const last = (await host.run(call(goingOn(session), "count"))).at(-1);
      return last?.event === "error" && last.error.message.includes("was not used");
    });
    for (const next of [goingOn(session), session]) {
      const error = errorOf(await host.run(call(next, "count")));
      expect(error).toMatchObject({ code: "SESSION_EXPIRED", executed: "no" });
      expect(error.message).toContain("was not used");
    }
  });

  it("outlives the pool's own idle time", async () => {
    await start({ GANGWAY_HOST_IDLE_MS: "0" });
    const session = begun();
    const pid = Number(await textIn(session, "pid"));
    const plain = Number(textOf(await host.run(callRequest("asker", "pid"))));
    await until("the other process is gone", () => !isRunning(plain));
    expect(Number(await textIn(goingOn(session), "pid"))).toBe(pid);
  });

  it("whose process has died is told with the way it died", async () => {
    await start();
    const session = begun();
    const pid = Number(await textIn(session, "pid"));
    process.kill(pid, "SIGKILL");
    await until("the host has seen it", async () => {
      const events = await host.run(call(goingOn(session), "count"));
      return events.at(-1)?.event === "error" && errorOf(events).code === "SESSION_EXPIRED";
    });
    const error = errorOf(await host.run(call(goingOn(session), "count")));
    expect(error.message).toContain("SIGKILL");
  });

  it("is gone with its host", async () => {
    await start();
    const session = begun();
    const pid = Number(await textIn(session, "pid"));
    await host.dispose();
    expect(isRunning(pid)).toBe(false);
    await start();
    const error = errorOf(await host.run(call(goingOn(session), "count")));
    expect(error).toMatchObject({ code: "SESSION_EXPIRED" });
  });

  it("ends when it is told to, calls in flight with it, as often as it is asked", async () => {
    await start();
    const session = begun();
    const pid = Number(await textIn(session, "pid"));
    const hanging = await occupy(host, call(goingOn(session), "hang"));
    expect(resultOf(await host.run(end(session))).result).toEqual({ ended: true });
    expect(isRunning(pid)).toBe(false);
    expect(errorOf(await readEvents(hanging))).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
    });
    expect(resultOf(await host.run(end(session))).result).toEqual({ ended: false });
    const error = errorOf(await host.run(call(session, "count")));
    expect(error).toMatchObject({ code: "SESSION_EXPIRED" });
    expect(error.message).toContain("its session was ended");
  });

  it("has no second process while its own is being ended", async () => {
    await start({ GANGWAY_HOST_STOP_GRACE_MS: "20000" });
    const session = begun();
    const run = () => host.run(callRequest("ignore-sigterm", "pid", {}, { session }));
    const pid = textOf(await run());
    const ending = host.run(end(session));
    let answer: RunEvent[] = [];
    await until("its process is being ended", async () => {
      answer = await run();
      return eventsNamed(answer, "result").length === 0 || textOf(answer) !== pid;
    });
    const error = errorOf(answer);
    expect(error).toMatchObject({ code: "SESSION_EXPIRED", executed: "no" });
    expect(error.message).toContain("its process is being ended");
    process.kill(Number(pid), "SIGKILL");
    expect(resultOf(await ending).result).toEqual({ ended: true });
  });

  it("has no second process while its own is being started and ended at once", async () => {
    await start();
    const session = begun();
    const run = (handshake_ms: number) =>
      runRequest("hang-at-start", { session, limits: { handshake_ms } });
    const first = await host.send(run(3000));
    const ended = Promise.withResolvers<RunEvent[]>();
    const told = await readEvents(first, (event) => {
      const isStarting = event.event === "phase" && event.phase === "handshake";
      if (isStarting) ended.resolve(refusedOnce());
    });
    /** The answer to the first run that does not wait for the process which is being started. */
    async function refusedOnce(): Promise<RunEvent[]> {
      const ending = host.run(end(session));
      let answer: RunEvent[] = [];
      await until("its process is being ended", async () => {
        answer = await host.run(run(1));
        return errorOf(answer).code !== "CONNECT_TIMEOUT";
      });
      expect(resultOf(await ending).result).toEqual({ ended: false });
      return answer;
    }
    const error = errorOf(await ended.promise);
    expect(error).toMatchObject({ code: "SESSION_EXPIRED", executed: "no" });
    expect(error.message).toContain("its process is being ended");
    expect(errorOf(told).code).toBe("CONNECT_TIMEOUT");
  });

  it("goes on after a call that ran out of time", async () => {
    await start();
    const session = begun();
    const pid = await textIn(session, "pid");
    const late = await host.run(
      call(goingOn(session), "hang", { limits: { call_ms: 100, progress_extends_to_ms: 100 } }),
    );
    expect(errorOf(late).code).toBe("REQUEST_TIMEOUT");
    expect(await textIn(goingOn(session), "pid")).toBe(pid);
  });
});

describe("the places of the host", () => {
  it("are not taken from a session for other runs", async () => {
    await start({ GANGWAY_HOST_MAX_PROCESSES: "2" });
    const session = begun();
    const pid = await textIn(session, "pid");
    const other = (pool_key: string) => host.run(callRequest("echo", "pid", {}, { pool_key }));
    const first = Number(textOf(await other("one")));
    const second = Number(textOf(await other("two")));
    expect([isRunning(first), isRunning(second)]).toEqual([false, true]);
    expect(await textIn(goingOn(session), "pid")).toBe(pid);
  });

  it("are for sessions by half, and for one owner's sessions by few", async () => {
    await start({ GANGWAY_HOST_MAX_PROCESSES: "6", GANGWAY_HOST_MAX_HELD_BY_ONE: "2" });
    const sessions = [begun(), begun(), begun()] as const;
    const [one, two, three] = sessions;
    for (const session of [one, two]) await textIn(session, "pid", { owner: "ada" });
    const refused = async (owner: string) =>
      errorOf(await host.run(call(begun(), "pid", { owner })));
    const full = {
      code: "CAPACITY",
      executed: "no",
      retry_after_s: 30,
      details: { kept: "sessions" },
    };
    expect(await refused("ada")).toMatchObject(full);
    await textIn(three, "pid", { owner: "grace" });
    expect(await refused("grace")).toMatchObject(full);
    await host.run(end(one));
    expect(await textIn(begun(), "count", { owner: "ada" })).toBe("1");
  });

  it("are given back by a session whose process cannot be started", async () => {
    await start({ GANGWAY_HOST_MAX_HELD: "1" });
    const failing = callRequest("crash-at-start", "any", {}, { session: begun() });
    for (let round = 0; round < 2; round += 1) {
      expect(errorOf(await host.run(failing)).code).toBe("PROCESS_START_FAILED");
    }
    expect(await textIn(begun(), "count")).toBe("1");
  });
});
