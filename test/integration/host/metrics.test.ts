import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { isRunning, until } from "../../support/host-processes.ts";

import { callRequest, errorOf, textOf } from "../../support/run-request.ts";
import { readMetrics } from "../../support/scrape.ts";
import { readEvents, startHost } from "../../support/start-host.ts";

let host: FixtureHost;
let url: string;

beforeAll(async () => {
  host = await startFixtureHost({
    GANGWAY_HOST_METRICS_PORT: "0",
    GANGWAY_HOST_STOP_GRACE_MS: "50",
    GANGWAY_HOST_MAX_PROCESSES: "3",
  });
  await until("the metrics are served", () => host.log.some(({ msg }) => msg === "metrics ready"));
  const { place } = host.log.find(({ msg }) => msg === "metrics ready") as {
    place: { address: string; port: number };
  };
  url = `http://${place.address}:${place.port}`;
});
afterAll(() => host.dispose());

const text = async () => (await fetch(`${url}/metrics`)).text();
/** One number; 0 where the metric has no such labels yet. */
const read = async (name: string) => readMetrics(await text()).get(`gangway_host_${name}`) ?? 0;
const call = (bin: string, tool: string, changes = {}) =>
  host.run(callRequest(bin, tool, {}, { pool_key: `acme-secret-tenant/${bin}`, ...changes }));

/** How much a number grows by what is done. */
async function growth(name: string, work: () => Promise<unknown>): Promise<number> {
  const before = await read(name);
  await work();
  return (await read(name)) - before;
}

describe("GET /metrics", () => {
  it("is answered on its own port, on loopback, and there alone", async () => {
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect((await fetch(`${host.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/health`)).status).toBe(404);
    const posted = await fetch(`${url}/metrics`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  });

  it("tells the host's version and memory", async () => {
    expect(await read('info{version="0.1.0"}')).toBe(1);
    expect(await read("resident_bytes")).toBeGreaterThan(10_000_000);
  });

  it("counts installations and starts once, calls and runs each, with their times", async () => {
    await call("echo", "pid");
    await call("echo", "pid");
    expect(await read('package_lookups_total{runner="npx",result="miss"}')).toBe(1);
    expect(await read('install_seconds_count{runner="npx",outcome="done"}')).toBe(1);
    expect(await read('install_seconds_sum{runner="npx",outcome="done"}')).toBeGreaterThan(0);
    expect(await read('starts_total{outcome="ready"}')).toBe(1);
    expect(await read("start_seconds_count")).toBe(1);
    expect(await read("call_seconds_count")).toBe(2);
    expect(await read('runs_total{outcome="ok"}')).toBe(2);
    expect(await read('processes{state="idle"}')).toBe(1);
  });

  it("counts a second start of a package as found", async () => {
    const name = 'package_lookups_total{runner="npx",result="hit"}';
    expect(await growth(name, () => call("echo", "pid", { pool_key: "another" }))).toBe(1);
  });

  it("counts failed installations and runs by their error", async () => {
    const failed = 'install_seconds_count{runner="npx",outcome="failed"}';
    const launch = { package: "not-there", bin: null };
    expect(await growth(failed, () => call("echo", "pid", { launch }))).toBe(1);
    expect(await read('runs_total{outcome="INSTALL_FAILED"}')).toBe(1);
  });

  it("tells a run that waits for its answer, and a busy process", async () => {
    const gone = new AbortController();
    const response = await host.send(callRequest("hang", "hang"), gone.signal);
    const seen = readEvents(response, async ({ event }) => {
      if (event !== "sent") return;
      expect(await read('runs{stage="call"}')).toBe(1);
      expect(await read('processes{state="busy"}')).toBe(1);
      gone.abort();
    });
    await expect(seen).rejects.toThrow(/abort/i);
    await until("the run is over", async () => (await read('runs{stage="call"}')) === 0);
    expect(await read('runs_total{outcome="CANCELLED"}')).toBe(1);
  });

  it("counts crashes by their reason, failed starts, and open breakers", async () => {
    const exits = await growth('crashes_total{reason="exit"}', async () => {
      for (let count = 1; count <= 3; count += 1) await call("crash-in-call", "crash");
    });
    expect(exits).toBe(3);
    expect(await read("breakers_open")).toBe(1);
    expect(
      await growth('crashes_total{reason="signal"}', () =>
        call("crash-in-call", "die", { pool_key: "die" }),
      ),
    ).toBe(1);
    expect(
      await growth('starts_total{outcome="failed"}', () => call("crash-at-start", "any")),
    ).toBe(1);
  });

  it("counts processes that were given up for others, and those that had to be killed", async () => {
    const kills = await growth("kills_total", async () => {
      const pid = Number(textOf(await call("ignore-sigterm", "pid")));
      for (const key of ["a", "b", "c"]) await call("echo", "pid", { pool_key: key });
      await until("it was killed", () => !isRunning(pid));
    });
    expect(kills).toBe(1);
    expect(await read('stops_total{cause="evicted"}')).toBeGreaterThan(0);
  });

  it("counts refused tickets by their error", async () => {
    const refused = await growth('tickets_refused_total{code="TICKET_INVALID"}', () =>
      fetch(`${host.url}/v1/run`, { method: "POST", body: "{}" }),
    );
    expect(refused).toBe(1);
  });

  it("has no name of a tenant, server, package or key in any label", async () => {
    errorOf(await call("crash-in-call", "crash"));
    const whole = await text();
    expect(whole).not.toMatch(/acme|fixture|stdio|not-there|echo|127\.0\.0\.1/);
    const labels = [...whole.matchAll(/[{,]([a-z]+)="/g)].map(([, label]) => label);
    expect(new Set(labels)).toEqual(
      new Set([
        "cause",
        "code",
        "le",
        "outcome",
        "reason",
        "result",
        "runner",
        "stage",
        "state",
        "version",
      ]),
    );
  });
});

describe("a host without GANGWAY_HOST_METRICS_PORT", () => {
  it("serves no metrics", async () => {
    const silent = await startHost();
    expect(silent.log.filter(({ msg }) => msg === "metrics ready")).toEqual([]);
    await silent.dispose();
  });
});
