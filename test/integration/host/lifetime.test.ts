import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning, processesOf, until } from "../../support/host-processes.ts";
import {
  fixturePackage,
  type NpmRegistry,
  startNpmRegistry,
  stdioFixtures,
} from "../../support/npm-registry.ts";
import { callRequest, errorOf, textOf } from "../../support/run-request.ts";
import { readEvents, type StartedHost, startHost } from "../../support/start-host.ts";

let registry: NpmRegistry;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
});
afterAll(() => registry.close());

const start = (environment: Record<string, string> = {}) =>
  startHost({
    environment: {
      GANGWAY_HOST_NPM_REGISTRY: registry.url,
      GANGWAY_HOST_STOP_GRACE_MS: "200",
      ...environment,
    },
  });

/** Starts one server of each stubborn kind; answers the pids of all their processes. */
async function startStubborn(host: StartedHost): Promise<number[]> {
  const family = JSON.parse(textOf(await host.run(callRequest("grandchild", "spawn"))));
  const stubborn = Number(textOf(await host.run(callRequest("ignore-sigterm", "pid"))));
  const plain = Number(textOf(await host.run(callRequest("echo", "pid"))));
  const pids = [family.pid, family.grandchild, stubborn, plain];
  expect(pids.every(isRunning)).toBe(true);
  return pids;
}

/** Has a server start a daemon that leaves its process group. */
async function daemonOf(host: StartedHost, args = {}): Promise<{ pid: number; daemon: number }> {
  return JSON.parse(textOf(await host.run(callRequest("grandchild", "daemon", args))));
}

const instances = (host: StartedHost) => readdir(join(host.dataDir, "instances"));

describe("the end of the host", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s leaves no process and no process folder (cases 11, 12, 18)",
    async (signal) => {
      const host = await start();
      const pids = await startStubborn(host);
      expect(await host.end(signal)).toBe(0);
      expect(pids.filter(isRunning)).toEqual([]);
      expect(processesOf(host.dataDir, host.pid)).toEqual([]);
      expect(await instances(host)).toEqual([]);
      await host.dispose();
    },
  );

  it("by kill -9 leaves no process either (case 11)", async () => {
    const host = await start();
    const pids = await startStubborn(host);
    pids.push((await daemonOf(host)).daemon);
    await host.end("SIGKILL");
    await until(
      "all processes are gone",
      () => !pids.some(isRunning) && processesOf(host.dataDir, host.pid).length === 0,
    );
    expect(await instances(host)).toEqual([]);
    await host.dispose();
  });

  it("by kill -9 leaves no process even when its watcher was killed before", async () => {
    const host = await start();
    const pid = Number(textOf(await host.run(callRequest("ignore-sigterm", "pid"))));
    const ours = processesOf(host.dataDir, host.pid);
    const watcher = processesOf("gangway-watcher", host.pid).find((one) => ours.includes(one));
    process.kill(watcher ?? 0, "SIGKILL");
    await until("a new one watches", () =>
      host.log.some(({ msg }) => String(msg).startsWith("process watcher ended")),
    );
    await host.end("SIGKILL");
    await until(
      "all processes are gone",
      () => !isRunning(pid) && processesOf(host.dataDir, host.pid).length === 0,
    );
    expect(await instances(host)).toEqual([]);
    await host.dispose();
  });

  it("by kill -9 in the middle of an installation ends npm and leaves no half entry", async () => {
    registry.publish(fixturePackage("echo", { name: "held", version: "1.0.0" }));
    const release = registry.hold();
    const host = await start();
    const response = await host.send(callRequest(null, "pid", {}, { launch: { package: "held" } }));
    await until("npm asks for the package", () => registry.requests.includes("held/-/1.0.0.tgz"));
    await host.end("SIGKILL");
    await until("npm is gone", () => processesOf(host.dataDir, host.pid).length === 0);
    await response.body?.cancel().catch(() => undefined);
    release();
    const entries = readdir(join(host.dataDir, "npm", "packages"));
    expect(await entries.catch(() => [])).toEqual([]);
    expect(await instances(host)).toEqual([]);
    await host.dispose();
  });

  it("lets calls in flight finish, takes no new ones, and says so", async () => {
    const host = await start({ GANGWAY_HOST_DRAIN_MS: "10000" });
    const statuses: number[] = [];
    let ended: Promise<number | null> | undefined;
    const response = await host.send(callRequest("progress", "steps", { count: 5 }));
    const events = await readEvents(response, async ({ event }) => {
      if (event !== "progress" || ended !== undefined) return;
      ended = host.end("SIGTERM");
      await until("the host has heard it", () => host.log.some(({ msg }) => msg === "host ends"));
      statuses.push((await host.send(callRequest("echo", "pid"))).status);
      const health = await fetch(`${host.url}/health`);
      statuses.push(health.status);
      expect(await health.json()).toMatchObject({ ok: false, draining: true });
    });
    expect(textOf(events)).toBe("5 steps");
    expect(statuses).toEqual([503, 503]);
    expect(await ended).toBe(0);
    await host.dispose();
  });

  it("tells a call that does not finish in time what became of it", async () => {
    const host = await start({ GANGWAY_HOST_DRAIN_MS: "100" });
    const events = await readEvents(await host.send(callRequest("hang", "hang")), ({ event }) => {
      if (event === "sent") void host.end("SIGTERM");
    });
    expect(errorOf(events)).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
    });
    await host.dispose();
  });
});

describe("the end of a server", () => {
  it("takes its whole process group along (case 12)", async () => {
    const host = await start();
    const { grandchild } = JSON.parse(textOf(await host.run(callRequest("grandchild", "spawn"))));
    expect(isRunning(grandchild)).toBe(true);
    expect(errorOf(await host.run(callRequest("grandchild", "crash")))).toMatchObject({
      code: "PROCESS_EXITED",
      details: { exit_code: 4 },
    });
    await until("the grandchild is gone", () => !isRunning(grandchild));
    await host.dispose();
  });

  it("leaves nothing, whichever way thirty servers end (case 11)", async () => {
    const host = await start({ GANGWAY_HOST_IDLE_MS: "0", GANGWAY_HOST_MAX_PROCESSES: "40" });
    const ways = [
      () => callRequest("crash-in-call", "crash"),
      () => callRequest("crash-in-call", "die"),
      () => callRequest("crash-at-start", "any"),
      () => callRequest("close-stdout", "close"),
      () => callRequest("echo", "pid"),
    ];
    const requests = Array.from({ length: 6 }, () => ways.map((way) => way())).flat();
    const runs = await Promise.all(
      requests.map((request, n) => host.run({ ...request, pool_key: `way ${n}` })),
    );
    expect(runs.every((events) => /result|error/.test(events.at(-1)?.event ?? ""))).toBe(true);
    const [instance = ""] = await instances(host);
    const folder = join(host.dataDir, "instances", instance);
    await until("every folder is gone", async () => (await readdir(folder)).length === 0);
    const left = processesOf(host.dataDir, host.pid);
    expect(left.filter((pid) => !processesOf("gangway-watcher", host.pid).includes(pid))).toEqual(
      [],
    );
    await host.dispose();
  });

  it("takes daemons along that have left its group, and one that forks for ever", async () => {
    const host = await start();
    const { pid, daemon } = await daemonOf(host);
    await daemonOf(host, { forking: true });
    const home = textOf(await host.run(callRequest("grandchild", "home")));
    const bystander = spawn("sleep", ["60"], { env: { OTHER: `HOME=${home}`, HOME: `${home}x` } });
    const family = () =>
      processesOf(home, host.pid).filter((one) => one !== pid && one !== bystander.pid);
    expect(isRunning(daemon)).toBe(true);
    expect(family().length).toBeGreaterThan(0);
    await host.run(callRequest("grandchild", "crash"));
    await until("no process of it is left", () => family().length === 0);
    expect(isRunning(bystander.pid ?? 0)).toBe(true);
    bystander.kill("SIGKILL");
    await host.dispose();
  });

  it("leaves no folder of it behind", async () => {
    const host = await start({ GANGWAY_HOST_IDLE_MS: "0" });
    const pid = Number(textOf(await host.run(callRequest("echo", "pid"))));
    const [instance = ""] = await instances(host);
    await until("it is gone", () => !isRunning(pid));
    const folder = join(host.dataDir, "instances", instance);
    await until("its folder is gone", async () => (await readdir(folder)).length === 0);
    expect(await instances(host)).toEqual([instance]);
    await host.dispose();
  });
});

describe("the start of the host", () => {
  const refused = async (environment: Record<string, string>) => {
    const main = new URL("../../../functions/host/main.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env["PATH"] ?? "", ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const [code] = await once(child, "close");
    return { code, lines: stderr.trim().split("\n") };
  };

  it("is refused in one line without a ticket key", async () => {
    const { code, lines } = await refused({});
    expect(code).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^gangway host: GANGWAY_HOST_TICKET_KEY is missing; set it to/),
    ]);
  });

  it("is refused in one line when the port is taken, and leaves no process", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = String(typeof address === "object" && address !== null ? address.port : 0);
    await expect(start({ GANGWAY_HOST_PORT: port })).rejects.toThrow(
      `GANGWAY_HOST_PORT=${port} cannot be listened on (EADDRINUSE)`,
    );
    taken.close();
  });
});
