import { afterEach, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { isRunning, until } from "../../support/host-processes.ts";
import { fixturePackage } from "../../support/npm-registry.ts";
import { callRequest, errorOf, resultOf, textOf } from "../../support/run-request.ts";
import { occupy } from "../../support/start-host.ts";

let host: FixtureHost;

afterEach(() => host.dispose());

async function start(environment: Record<string, string> = {}): Promise<void> {
  host = await startFixtureHost({
    GANGWAY_HOST_STOP_GRACE_MS: "200",
    GANGWAY_HOST_DRAIN_MS: "100",
    ...environment,
  });
}

const pidOf = async (pool_key: string, changes = {}) =>
  Number(textOf(await host.run(callRequest("echo", "pid", {}, { pool_key, ...changes }))));

/** Starts a call that is never answered; resolves when the server has it. */
async function occupyOne(pool_key: string): Promise<() => void> {
  const gone = new AbortController();
  await occupy(host, callRequest("hang", "hang", {}, { pool_key }), gone.signal);
  return () => gone.abort();
}

/** Sends 200 calls at once to one process; answers which of them got another's payload. */
async function misplaced(extra: Record<string, unknown>): Promise<number[]> {
  const payload = (n: number) => ({ count: 200, canary: `${n}-${"x".repeat(n * 7)}`, ...extra });
  const call = (n: number) => callRequest("echo", "gather", payload(n), { pool_key: "many" });
  const all = Array.from({ length: 200 }, (_, n) => n);
  const texts = await Promise.all(all.map(async (n) => textOf(await host.run(call(n)))));
  return all.filter((n) => texts[n] !== JSON.stringify(payload(n)));
}

describe("the pool", () => {
  it("starts one process for ten calls at once (case 13)", async () => {
    await start();
    const pids = await Promise.all(Array.from({ length: 10 }, () => pidOf("ten")));
    expect(new Set(pids).size).toBe(1);
    expect(host.registry.requests.filter((path) => path.endsWith(".tgz"))).toHaveLength(1);
  });

  it("answers each of 200 calls in flight on one process with its own payload (cases 1, 2)", async () => {
    await start();
    expect(await misplaced({})).toEqual([]);
  });

  it("is seen to misplace answers when a server does so", async () => {
    await start();
    expect(await misplaced({ swap: true })).toHaveLength(2);
  });

  it("gives runs of different keys, and of one key with a changed launch, processes of their own", async () => {
    await start();
    const first = await pidOf("a");
    expect(await pidOf("a")).toBe(first);
    expect(await pidOf("b")).not.toBe(first);
    expect(await pidOf("a", { launch: { secret_env: { TOKEN: "other" } } })).not.toBe(first);
    expect(await pidOf("a", { launch: { args: ["--other"] } })).not.toBe(first);
    expect(await pidOf("a")).toBe(first);
  });

  it("ends a process that nobody used for the idle time (case 19)", async () => {
    await start({ GANGWAY_HOST_IDLE_MS: "100" });
    const pid = await pidOf("idle");
    await until("the idle process is gone", () => !isRunning(pid));
    expect(await pidOf("idle")).not.toBe(pid);
  });

  it("ends it earlier where the run says so, and never later than its own setting", async () => {
    await start({ GANGWAY_HOST_IDLE_MS: "60000" });
    const short = await pidOf("short", { limits: { idle_ms: 100 } });
    const long = await pidOf("long");
    await until("the idle process is gone", () => !isRunning(short));
    expect(isRunning(long)).toBe(true);
  });

  it("ends the longest idle process when a new one needs its place (case 14)", async () => {
    await start({ GANGWAY_HOST_MAX_PROCESSES: "2" });
    const [first, second] = [await pidOf("one"), await pidOf("two")];
    await pidOf("one");
    const third = await pidOf("three");
    expect(isRunning(second)).toBe(false);
    expect([first, third].every(isRunning)).toBe(true);
  });

  it("refuses a process above the cap while all are in use, and has a place again when one is free (case 14)", async () => {
    await start({ GANGWAY_HOST_MAX_PROCESSES: "2" });
    const free = await occupyOne("one");
    await occupyOne("two");
    const error = errorOf(await host.run(callRequest("echo", "pid", {}, { pool_key: "three" })));
    expect(error).toMatchObject({
      code: "CAPACITY",
      executed: "no",
      retry_after_s: 5,
      details: { max_processes: 2 },
    });
    free();
    await until(
      "there is a place",
      async () =>
        (await host.run(callRequest("echo", "pid", {}, { pool_key: "three" }))).at(-1)?.event ===
        "result",
    );
  });

  it("never has more processes than the cap, however many are asked for at once", async () => {
    await start({ GANGWAY_HOST_MAX_PROCESSES: "3", GANGWAY_HOST_IDLE_MS: "0" });
    await pidOf("warm-up"); // Installed once, so that the starts below race.
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        host.run(callRequest("echo", "pid", {}, { pool_key: `key-${n}` })),
      ),
    );
    const refused = runs.filter((events) => events.at(-1)?.event === "error");
    expect(refused.length).toBeLessThanOrEqual(9);
    expect(refused.map((events) => errorOf(events).code)).toEqual(refused.map(() => "CAPACITY"));
  });

  it("gives a tag's new version to new processes once the old one is out of date", async () => {
    await start({ GANGWAY_HOST_TAG_TTL_S: "0" });
    host.registry.publish(fixturePackage("echo", { name: "tagged", version: "1.0.0" }));
    const launch = { package: "tagged", version: null };
    const run = () => host.run(callRequest(null, "pid", {}, { pool_key: "tagged", launch }));
    const first = resultOf(await run());
    host.registry.publish(fixturePackage("echo", { name: "tagged", version: "1.0.1" }));
    await until("the new version is installed", async () => {
      await run();
      return host.log.some(
        ({ msg, version }) => msg === "package installed" && version === "1.0.1",
      );
    });
    expect(first.session.warm).toBe(false);
  });
});
