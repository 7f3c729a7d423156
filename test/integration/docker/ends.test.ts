import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { importFixtureImage } from "../../support/docker-images.ts";
import { commandOf, dockerCall, dockerCommands, parentOf } from "../../support/docker-run.ts";
import { isRunning, processesOf, until } from "../../support/host-processes.ts";
import { errorOf, resultOf } from "../../support/run-request.ts";
import { readEvents, type StartedHost, startHost } from "../../support/start-host.ts";

const noEngine = await whyNoEngine();

describe.skipIf(noEngine !== null)("the end of a container on a real engine", () => {
  let engine: DockerEngine;
  let host: StartedHost;
  const started: StartedHost[] = [];

  const start = async (environment: Record<string, string> = {}, dataDir?: string) => {
    const one = await startHost({
      environment: {
        GANGWAY_HOST_DOCKER_ENGINE: engine.host,
        GANGWAY_HOST_STOP_GRACE_MS: "200",
        ...environment,
      },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    started.push(one);
    return one;
  };
  const noneIsLeft = (withinMs = 5000) =>
    until("no container is left", async () => (await engine.containers()).length === 0, withinMs);
  /** Starts one server of each kind, the stubborn among them. */
  const startServers = async (on: StartedHost) => {
    await on.run(dockerCall("echo", "pid"));
    await on.run(dockerCall("ignore-sigterm", "pid"));
    await on.run(dockerCall("grandchild", "spawn"));
    expect(await engine.containers()).toHaveLength(3);
  };
  /** Runs a call that is never answered, and does something to its container once it runs. */
  const inCall = async (program: string, act: () => unknown) => {
    const response = await host.send(dockerCall(program, "hang"));
    const events = await readEvents(response, async ({ event }) => {
      if (event !== "sent") return;
      await act();
    });
    return errorOf(events);
  };

  beforeAll(async () => {
    engine = await startDockerEngine();
    await importFixtureImage(engine);
    host = await start();
  });
  afterAll(async () => {
    await Promise.all(started.map((one) => one.dispose()));
    await engine?.close();
  });

  it("by kill -9 of the docker command in a call fails the call at once and leaves none (cases 12, 15)", async () => {
    const error = await inCall("ignore-sigterm", () => {
      for (const pid of dockerCommands(host)) process.kill(pid, "SIGKILL");
    });
    expect(error).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { signal: "SIGKILL" },
    });
    await noneIsLeft();
    expect(resultOf(await host.run(dockerCall("echo", "pid"))).session.warm).toBe(false);
  });

  it("by kill -9 of the server in it fails the call at once (case 15)", async () => {
    const error = await inCall("hang", async () => {
      const [name = ""] = await engine.containers();
      await engine.docker("kill", "--signal", "KILL", name);
    });
    expect(error).toMatchObject({ code: "PROCESS_EXITED", details: { exit_code: 137 } });
    await until("it is gone", async () => (await engine.containers()).length <= 1);
  });

  it("by rm -f behind the host's back is noticed, and the next call starts anew", async () => {
    await host.run(dockerCall("echo", "pid"));
    const names = await engine.containers();
    await engine.docker("rm", "--force", "--volumes", ...names);
    await until("the commands have ended", () => dockerCommands(host).length === 0);
    // The host may learn of an end a moment after the process table has it.
    const ways: unknown[] = [];
    await until("a call is answered", async () => {
      const last = (await host.run(dockerCall("echo", "pid"))).at(-1);
      if (last?.event === "result") ways.push(last.session.warm);
      else if (last?.event !== "error" || last.error.code !== "PROCESS_EXITED") ways.push(last);
      return ways.length > 0;
    });
    expect(ways).toEqual([false]);
  });

  it("comes when it idles, and removes its volumes (cases 11, 19)", async () => {
    const brief = await start({ GANGWAY_HOST_IDLE_MS: "0" });
    const before = await engine.containers();
    const programs = ["echo", "ignore-sigterm", "grandchild", "crash-in-call"];
    await Promise.all(programs.map((program) => brief.run(dockerCall(program, "pid"))));
    await until(
      "they are gone",
      async () => (await engine.containers()).every((name) => before.includes(name)),
      8000,
    );
    await brief.dispose();
    const volumes = (await engine.docker("volume", "ls", "--quiet")).split("\n").filter(Boolean);
    expect(volumes).toHaveLength(before.length);
  });

  it("comes when its server is not ready in time", async () => {
    const before = await engine.containers();
    const limits = { handshake_ms: 1000 };
    const error = errorOf(await host.run(dockerCall("hang-at-start", "any", {}, { limits })));
    expect(error).toMatchObject({ code: "CONNECT_TIMEOUT", executed: "no" });
    await until("it is gone", async () =>
      (await engine.containers()).every((name) => before.includes(name)),
    );
  });

  it("comes when a call runs out of time", async () => {
    const before = await engine.containers();
    const limits = { call_ms: 300, progress_extends_to_ms: 300 };
    const call = dockerCall("ignore-sigterm", "hang", {}, { limits, pool_key: "late" });
    expect(errorOf(await host.run(call))).toMatchObject({
      code: "REQUEST_TIMEOUT",
      executed: "maybe",
    });
    await until("it is gone", async () =>
      (await engine.containers()).every((name) => before.includes(name)),
    );
  });

  it("leaves nothing, whichever way fifteen containers end (case 11)", async () => {
    const brief = await start({ GANGWAY_HOST_IDLE_MS: "0", GANGWAY_HOST_MAX_PROCESSES: "20" });
    const before = await engine.containers();
    const commandsBefore = dockerCommands(brief).length;
    const ways = [
      dockerCall("crash-in-call", "crash"),
      dockerCall("crash-in-call", "die"),
      dockerCall("crash-at-start", "any"),
      dockerCall("ignore-sigterm", "hang", {}, { limits: { call_ms: 500 } }),
      dockerCall("echo", "pid"),
    ];
    for (const round of [1, 2, 3]) {
      const requests = ways.map((way, n) => ({ ...way, pool_key: `way ${round} ${n}` }));
      const runs = await Promise.all(requests.map((request) => brief.run(request)));
      expect(runs.every((events) => /result|error/.test(events.at(-1)?.event ?? ""))).toBe(true);
    }
    await until("every container is gone", async () =>
      (await engine.containers()).every((name) => before.includes(name)),
    );
    await until("every command is gone", () => dockerCommands(brief).length === commandsBefore);
    const [instance = ""] = await readdir(join(brief.dataDir, "instances"));
    const folder = join(brief.dataDir, "instances", instance);
    await until("every folder is gone", async () => (await readdir(folder)).length === 0);
    await brief.dispose();
  });

  it("comes with the host's own by SIGTERM (case 12)", async () => {
    await host.end();
    await noneIsLeft();
    const ended = await start();
    await startServers(ended);
    expect(await ended.end("SIGTERM")).toBe(0);
    expect(await engine.containers()).toEqual([]);
    expect(processesOf(ended.dataDir, ended.pid)).toEqual([]);
    await ended.dispose();
    host = await start();
  });

  it("comes within 5 s of the host's kill -9 (case 12)", async () => {
    const killed = await start();
    await startServers(killed);
    await killed.end("SIGKILL");
    await noneIsLeft(5000);
    expect(await engine.containers()).toEqual([]);
    await until(
      "no process is left",
      () => processesOf(killed.dataDir, killed.pid).length === 0,
      8000,
    );
    await killed.dispose();
  });

  it("comes at the next start when the host was killed with all its watchers, and other hosts' stay", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gangway-docker-test-"));
    const killed = await start({}, dataDir);
    await startServers(killed);
    await host.run(dockerCall("echo", "pid"));
    const neighbour = await start({}, dataDir);
    await neighbour.run(dockerCall("hang", "pid"));
    const watchers = processesOf(killed.dataDir, killed.pid).filter((pid) =>
      /gangway-(?:container-)?watcher/.test(commandOf(pid)),
    );
    const ofKilled = watchers.filter((pid) => parentOf(pid) === killed.pid);
    expect(ofKilled).toHaveLength(2);
    process.kill(killed.pid, "SIGSTOP");
    for (const pid of ofKilled) process.kill(pid, "SIGKILL");
    await killed.end("SIGKILL");
    await until("the watchers are gone", () => !ofKilled.some(isRunning));
    expect((await engine.containers()).length).toBeGreaterThanOrEqual(3);
    const next = await start({}, dataDir);
    await until("it has swept", () =>
      next.log.some(({ msg }) => msg === "removed containers of a dead host"),
    );
    const left = await engine.docker("ps", "--format", "{{.Command}}", "--no-trunc");
    expect(left.split("\n").map((line) => /start\.mjs (\S+?)"?$/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(["echo", "hang"]),
    );
    expect(left.split("\n")).toHaveLength(2);
    for (const pid of dockerCommands(next)) if (parentOf(pid) === 1) process.kill(pid, "SIGKILL");
    await neighbour.dispose();
    await next.dispose();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("by the engine's own end fails the call in flight; the next says that there is no engine", async () => {
    const doomed = await startDockerEngine();
    await importFixtureImage(doomed);
    const on = await start({ GANGWAY_HOST_DOCKER_ENGINE: doomed.host });
    const events = await readEvents(await on.send(dockerCall("hang", "hang")), ({ event }) =>
      event === "sent" ? doomed.close() : undefined,
    );
    expect(errorOf(events)).toMatchObject({ code: "PROCESS_EXITED", executed: "maybe" });
    expect(errorOf(await on.run(dockerCall("hang", "pid")))).toMatchObject({
      code: "LAUNCHER_UNAVAILABLE",
    });
    await on.dispose();
  });
});
