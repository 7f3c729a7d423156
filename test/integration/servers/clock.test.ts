import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { fixturePackage } from "../../support/npm-registry.ts";
import { callRequest, errorOf, resultOf, runRequest, textOf } from "../../support/run-request.ts";
import { readEvents } from "../../support/start-host.ts";

const dayMs = 24 * 60 * 60_000;
const preload = new URL("../../fixtures/host/movable-clock.mjs", import.meta.url);
const jumps = [
  ["a day ahead", dayMs],
  ["a day back", -dayMs],
] as const;

let folder = "";
let host: FixtureHost;
const setClock = (offsetMs: number) => writeFile(join(folder, "offset"), String(offsetMs));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-clock-"));
  await setClock(0);
  preload.searchParams.set("offset", join(folder, "offset"));
  host = await startFixtureHost({ NODE_OPTIONS: `--import=${preload.href}` });
});
beforeEach(() => setClock(0));
afterAll(async () => {
  await host.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a call; the host's clock jumps at its first progress, and is right again afterwards. */
async function runThroughJump(request: RunRequest, offsetMs: number) {
  const events = await readEvents(await host.send(request), async ({ event }) => {
    if (event === "progress") await setClock(offsetMs);
  });
  await setClock(0);
  return events;
}

describe.each(jumps)("a clock that jumps %s", (_, offsetMs) => {
  const changes = { pool_key: `jump ${offsetMs}` };
  const limits = { call_ms: 5_000, progress_extends_to_ms: 15_000 };

  it("lets a call in flight go on, with its progress, and its process serve the next one", async () => {
    const request = callRequest("progress", "steps", { count: 12 }, { ...changes, limits });
    const events = await runThroughJump(request, offsetMs);
    expect(textOf(events)).toBe("12 steps");
    expect(events.filter(({ event }) => event === "progress").length).toBeGreaterThanOrEqual(11);
    const times = Object.values(resultOf(events).timings_ms);
    expect(times.filter((ms) => ms < 0 || ms > 60_000)).toEqual([]);
    const next = await host.run(callRequest("progress", "steps", { count: 1 }, changes));
    expect(resultOf(next).session.warm).toBe(true);
  });

  it("neither prolongs nor shortens the time that progress extends a call to", async () => {
    const longest = { call_ms: 1_400, progress_extends_to_ms: 1_500 };
    const request = callRequest("progress", "endless", {}, { ...changes, limits: longest });
    const error = errorOf(await runThroughJump(request, offsetMs));
    expect(error).toMatchObject({ code: "REQUEST_TIMEOUT", executed: "maybe" });
    expect(error.message).toContain("1500 ms in all");
  });
});

describe("tickets and a clock that jumps", () => {
  it("are refused while it is wrong, and taken again when it is right; one that was used stays so", async () => {
    const body = new TextEncoder().encode(JSON.stringify(runRequest("echo")));
    const ticket = await host.sign(body);
    const post = async (authorization: string) => {
      const headers = {
        authorization: `Bearer ${authorization}`,
        "content-type": "application/json",
      };
      const response = await fetch(`${host.url}/v1/run`, { method: "POST", body, headers });
      await response.text();
      return response.status;
    };
    expect(await post(ticket)).toBe(200);
    await setClock(dayMs);
    expect(await post(await host.sign(body))).toBe(401);
    await setClock(0);
    expect(await post(ticket)).toBe(401);
    expect(await post(await host.sign(body))).toBe(200);
  });
});

describe("what a tag meant", () => {
  it("is asked for again when the clock has gone back behind its answer", async () => {
    const publish = (version: string) =>
      host.registry.publish(fixturePackage("echo", { name: "tagged", version }));
    const call = (key: string) =>
      host.run(runRequest(null, { pool_key: key, launch: { package: "tagged", version: null } }));
    publish("1.0.0");
    resultOf(await call("first"));
    publish("2.0.0");
    // Tickets allow for clocks that differ by a little.
    await setClock(-3_000);
    resultOf(await call("second"));
    expect(host.registry.requests).toContain("tagged/-/2.0.0.tgz");
  });
});
