import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { until } from "../../support/host-processes.ts";
import { fixturePackage } from "../../support/npm-registry.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  runRequest,
  textOf,
} from "../../support/run-request.ts";
import { readEvents } from "../../support/start-host.ts";

const token = "tok-4f1e9a";
const secret = { launch: { secret_env: { TOKEN: token } } };
let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({
    GANGWAY_HOST_STOP_GRACE_MS: "200",
    GANGWAY_HOST_MAX_PROCESSES: "100",
  });
});
afterAll(() => host.dispose());

describe("progress and log records", () => {
  it("are streamed as they come, masked, records from the wanted level on (case 39)", async () => {
    const events = await host.run(
      callRequest("progress", "steps", { count: 4 }, { log_level: "info", ...secret }),
    );
    expect(
      eventsNamed(events, "progress").map(({ progress, total, message }) => [
        progress,
        total,
        message,
      ]),
    ).toEqual([1, 2, 3, 4].map((step) => [step, 4, `step ${step} of ***`]));
    expect(eventsNamed(events, "log")).toEqual(
      [1, 3].map((step) => ({
        event: "log",
        level: "warning",
        logger: "fixture",
        data: { progress: step, token: "***" },
      })),
    );
    expect(textOf(events)).toBe("4 steps");
  });

  it("extends the time limit up to its cap (case 35)", async () => {
    const limits = { call_ms: 250, progress_extends_to_ms: 20_000 };
    expect(textOf(await host.run(callRequest("progress", "steps", { count: 6 }, { limits })))).toBe(
      "6 steps",
    );
    const capped = { call_ms: 250, progress_extends_to_ms: 600 };
    expect(
      errorOf(await host.run(callRequest("progress", "endless", {}, { limits: capped }))),
    ).toMatchObject({
      code: "REQUEST_TIMEOUT",
      executed: "maybe",
      message: expect.stringContaining("within 600 ms in all."),
    });
  });

  it("come to nobody while several calls are in flight, since nothing says whose they are", async () => {
    const request = { pool_key: "two-in-flight", log_level: "debug" as const };
    await host.run(runRequest("progress", request));
    const [one, two] = await Promise.all([
      host.run(callRequest("progress", "steps", { count: 3 }, request)),
      host.run(callRequest("progress", "steps", { count: 3 }, request)),
    ]);
    expect(eventsNamed(one, "progress")).toHaveLength(3);
    expect(eventsNamed(two, "progress")).toHaveLength(3);
    expect(eventsNamed(one, "log").length + eventsNamed(two, "log").length).toBeLessThan(6);
  });
});

describe("a cancelled run", () => {
  const cancellations = async (pool_key: string) =>
    textOf(await host.run(callRequest("hang", "cancellations", {}, { pool_key })));

  it("is cancelled at the server as well, by DELETE (case 38)", async () => {
    const hanging = callRequest("hang", "hang", {}, { pool_key: "cancel" });
    const events = await readEvents(await host.send(hanging), async ({ event }) => {
      if (event === "sent") await host.cancel(hanging.request_id);
    });
    expect(errorOf(events)).toMatchObject({ code: "CANCELLED", executed: "maybe" });
    expect(await cancellations("cancel")).toBe("1");
  });

  it("is cancelled at the server as well, by the caller's disconnect (case 38)", async () => {
    const gone = new AbortController();
    const hanging = callRequest("hang", "hang", {}, { pool_key: "disconnect" });
    const reading = readEvents(await host.send(hanging, gone.signal), ({ event }) => {
      if (event === "sent") gone.abort();
    });
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    await until(
      "the server has heard of it",
      async () => (await cancellations("disconnect")) === "1",
    );
  });

  it("leaves the install that it waited for to the next caller", async () => {
    host.registry.publish(fixturePackage("echo", { name: "slow-to-come", version: "1.0.0" }));
    const release = host.registry.hold();
    const launch = { package: "slow-to-come", version: "1.0.0" };
    const first = callRequest(null, "echo", { n: 1 }, { pool_key: "slow", launch });
    const events = await readEvents(await host.send(first), async ({ event }) => {
      if (event === "phase") await host.cancel(first.request_id);
    });
    expect(errorOf(events)).toMatchObject({ code: "CANCELLED", executed: "no" });
    release();
    expect(
      textOf(await host.run(callRequest(null, "echo", { n: 1 }, { pool_key: "slow", launch }))),
    ).toBe('{"n":1}');
  });
});
