import { mkdir, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { importFixtureImage, importPythonImage } from "../../support/docker-images.ts";
import { commandOf, dockerCall } from "../../support/docker-run.ts";
import { until } from "../../support/host-processes.ts";
import {
  type ImageRegistry,
  registryMirror,
  servedImage,
  startImageRegistry,
} from "../../support/image-registry.ts";
import { errorOf, eventsNamed, resultOf, runRequest, textOf } from "../../support/run-request.ts";
import { readEvents, type StartedHost, startHost } from "../../support/start-host.ts";

const noEngine = await whyNoEngine();

describe.skipIf(noEngine !== null)("docker servers on a real engine", () => {
  let engine: DockerEngine;
  let registry: ImageRegistry;
  let host: StartedHost;
  let folder: string;

  const started: StartedHost[] = [];
  const start = async (environment: Record<string, string> = {}) => {
    const one = await startHost({
      environment: {
        GANGWAY_HOST_DOCKER_ENGINE: engine.host,
        GANGWAY_HOST_STOP_GRACE_MS: "300",
        ...environment,
      },
    });
    started.push(one);
    return one;
  };
  const pulled = (
    changes: Partial<ReturnType<typeof runRequest>> = {},
    launch: Pick<Launch, "volumes"> = {},
  ) => dockerCall("", "hello", {}, { ...changes, launch: { ...servedImage, args: [], ...launch } });
  const forgetPulled = () => engine.docker("image", "rm", "--force", "fixture/pulled:1.0.0");
  const endPulled = async () => {
    await until("nothing runs of it", async () => {
      await engine.docker("container", "prune", "--force");
      const left = await engine.docker(
        "ps",
        "--quiet",
        "--filter",
        "ancestor=fixture/pulled:1.0.0",
      );
      if (left !== "") await engine.docker("rm", "--force", ...left.split("\n"));
      return left === "";
    });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gangway-docker-test-"));
    engine = await startDockerEngine([registryMirror]);
    registry = await startImageRegistry(engine);
    await importFixtureImage(engine);
    host = await start({ GANGWAY_HOST_DOCKER_VOLUME_ROOTS: join(folder, "root") });
  });
  afterAll(async () => {
    await Promise.all(started.map((one) => one.dispose()));
    await registry?.close();
    await engine?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe("a server in a container", () => {
    it("lists its tools and answers calls, warm from the second on", async () => {
      const list = { operation: { method: "tools/list" } } as const;
      const listed = resultOf(await host.run({ ...dockerCall("echo", "echo"), ...list }));
      expect(listed.result["tools"]).toContainEqual(expect.objectContaining({ name: "echo" }));
      const answer = await host.run(dockerCall("echo", "echo", { a: "ü" }));
      expect(textOf(answer)).toBe('{"a":"ü"}');
      expect(resultOf(answer).session.warm).toBe(true);
    });

    it("may be one in Python", async () => {
      await importPythonImage(engine, "fixture/python:3");
      const launch = { package: "fixture/python", version: "3", args: ["--flag", "ü"] };
      const call = dockerCall("", "surroundings", {}, { pool_key: "python", launch });
      expect(JSON.parse(textOf(await host.run(call)))).toMatchObject({
        argv: ["--flag", "ü"],
        executable: "/usr/bin/python3",
        parent: 1,
      });
    });

    it("is one container for ten calls at once (case 13)", async () => {
      const before = (await engine.containers()).length;
      const calls = Array.from({ length: 10 }, () =>
        host.run(dockerCall("hang", "pid", {}, { pool_key: "single flight" })),
      );
      expect(new Set((await Promise.all(calls)).map(textOf)).size).toBe(1);
      expect((await engine.containers()).length).toBe(before + 1);
    });

    it("gets its variables by name: no process list, no label and no argument shows a value (cases 27, 29)", async () => {
      const launch = {
        args: ["probe"],
        env: { PLAIN: "a plain value of some length" },
        secret_env: { TOKEN: "canary-7d1f0a", LINES: "line 1\nline 2", EMPTY: "" },
      };
      const call = dockerCall("probe", "probe", {}, { pool_key: "by name", launch });
      const { env } = JSON.parse(textOf(await host.run(call)));
      expect(env).toMatchObject({ ...launch.env, ...launch.secret_env });
      expect(Object.keys(env).sort()).toEqual(
        ["EMPTY", "HOME", "HOSTNAME", "LINES", "PATH", "PLAIN", "TOKEN"].sort(),
      );
      const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
      const shown = all.map((pid) => commandOf(Number(pid))).join("\n");
      expect(shown).toContain("-e TOKEN");
      expect(shown).not.toMatch(/canary-7d1f0a|a plain value/);
      const [name = ""] = (await engine.docker("ps", "--format", "{{.Names}}")).split("\n");
      const format = "{{json .Args}} {{json .Path}} {{json .Config.Labels}} {{json .Config.Cmd}}";
      expect(await engine.docker("inspect", "--format", format, name)).not.toContain("canary");
    });

    it("has no privilege, limits on memory, processors and processes, and a first process that reaps", async () => {
      const limited = await start({
        GANGWAY_HOST_DOCKER_MEMORY_MB: "200",
        GANGWAY_HOST_DOCKER_CPU_PERCENT: "50",
        GANGWAY_HOST_DOCKER_PROCESSES: "40",
      });
      const before = await engine.containers();
      const probe = JSON.parse(textOf(await limited.run(dockerCall("probe", "probe"))));
      expect(new Set(probe.capabilities)).toEqual(new Set(["0000000000000000"]));
      expect(probe).toMatchObject({ noNewPrivileges: "1", seccomp: "2" });
      expect(probe.firstProcess).toMatch(/init/);
      const name = (await engine.containers()).find((one) => !before.includes(one)) ?? "";
      expect(name).toMatch(/^gangway-[0-9a-f-]{36}$/);
      const { HostConfig } = JSON.parse(await engine.docker("inspect", name))[0];
      expect(HostConfig).toMatchObject({
        Memory: 200 * 1024 * 1024,
        MemorySwap: 200 * 1024 * 1024,
        NanoCpus: 500_000_000,
        PidsLimit: 40,
        NetworkMode: "bridge",
        Privileged: false,
        AutoRemove: true,
        LogConfig: { Type: "none" },
      });
      await limited.dispose();
    });

    it("that takes more memory than it may is ended, and its call fails at once", async () => {
      const small = await start({ GANGWAY_HOST_DOCKER_MEMORY_MB: "150" });
      const error = errorOf(await small.run(dockerCall("eat-memory", "eat")));
      expect(error).toMatchObject({ code: "PROCESS_EXITED", details: { exit_code: 137 } });
      await small.dispose();
    });

    it("sees a folder of the operator's roots, and no other", async () => {
      await mkdir(join(folder, "root", "data"), { recursive: true });
      await symlink("/etc", join(folder, "root", "out"));
      const call = (source: string, read_only: boolean) =>
        dockerCall(
          "probe",
          "probe",
          { tripwires: ["/data/written"] },
          {
            pool_key: `${source} ${read_only}`,
            launch: { args: ["probe"], volumes: [{ source, target: "/data", read_only }] },
          },
        );
      const readOnly = JSON.parse(textOf(await host.run(call(join(folder, "root/data"), true))));
      expect(readOnly).toMatchObject({ sprung: [] });
      expect(readOnly.mounts).toContain("/data");
      await host.run(call(join(folder, "root/data"), false));
      expect(await readdir(join(folder, "root/data"))).toEqual(["written"]);
      for (const path of ["/etc", join(folder, "root/out"), join(folder, "root/missing")]) {
        expect(errorOf(await host.run(call(path, true)))).toMatchObject({
          code: "LAUNCH_NOT_ALLOWED",
          executed: "no",
        });
      }
      // The container that may write there runs still.
      await mkdir(join(folder, "root/data/below"));
      expect(errorOf(await host.run(call(join(folder, "root/data/below"), true)))).toMatchObject({
        code: "LAUNCH_NOT_ALLOWED",
        details: { reason: "volume-invalid" },
      });
    });

    it("that prints to stderr and crashes is told with its code and masked last words", async () => {
      const launch = { args: ["crash-in-call"], secret_env: { TOKEN: "canary-31b2c7" } };
      const error = errorOf(await host.run(dockerCall("crash", "crash", {}, { launch })));
      expect(error).toMatchObject({
        code: "PROCESS_EXITED",
        executed: "maybe",
        details: { exit_code: 3, command: "docker run fixture/stdio:1.0.0 …" },
      });
      expect(error.details?.["stderr_tail"]).toBe("about to fall; token is ***");
    });
  });

  describe("an image", () => {
    it("is pulled once for all who ask at the same time", async () => {
      const before = registry.requests.length;
      const runs = await Promise.all(
        Array.from({ length: 5 }, (_, n) => host.run(pulled({ pool_key: `pull ${n}` }))),
      );
      expect(new Set(runs.map(textOf))).toEqual(new Set(["hello from a shell"]));
      const blobs = registry.requests.slice(before).filter((path) => path.includes("/blobs/"));
      expect(blobs).toHaveLength(2);
    });

    it("is not pulled again while the engine has it, by its tag or its digest", async () => {
      const before = registry.requests.length;
      await host.run(pulled({ pool_key: "again" }));
      const launch = { ...servedImage, version: registry.digest, args: [] };
      const byDigest = await host.run(dockerCall("", "hello", {}, { pool_key: "digest", launch }));
      expect(textOf(byDigest)).toBe("hello from a shell");
      expect(registry.requests.length).toBe(before);
    });

    it("is asked for at each start where the host always pulls", async () => {
      const always = await start({ GANGWAY_HOST_DOCKER_PULL: "always" });
      const before = registry.requests.length;
      expect(textOf(await always.run(pulled()))).toBe("hello from a shell");
      expect(registry.requests.length).toBeGreaterThan(before);
      await always.dispose();
    });

    it("that is pulled while a volume's folder becomes a link leaves the link alone", async () => {
      const moving = join(folder, "root/moving");
      await mkdir(moving, { recursive: true });
      await endPulled();
      await forgetPulled();
      const before = registry.requests.length;
      registry.hold();
      const volumes = [{ source: moving, target: "/data", read_only: true }];
      const call = host.run(pulled({ pool_key: "moving" }, { volumes }));
      await until("the registry is asked", () => registry.requests.length > before);
      await rename(moving, join(folder, "before"));
      await symlink("/etc", moving);
      registry.release();
      expect(errorOf(await call)).toMatchObject({
        code: "LAUNCH_NOT_ALLOWED",
        details: { reason: "volume-outside-roots" },
      });
    });

    it("that takes too long to pull is there for the next caller (case 16)", async () => {
      await endPulled();
      await forgetPulled();
      registry.hold();
      const limits = { ...pulled().limits, install_ms: 500 };
      const late = errorOf(await host.run({ ...pulled({ pool_key: "late" }), limits }));
      expect(late).toMatchObject({ code: "INSTALL_TIMEOUT", executed: "no" });
      const before = registry.requests.length;
      registry.release();
      expect(textOf(await host.run(pulled({ pool_key: "next" })))).toBe("hello from a shell");
      expect(registry.requests.slice(before).filter((path) => path.includes("manifests"))).toEqual(
        [],
      );
    });

    it("that no registry has is told with docker's own last words", async () => {
      const launch = { package: "fixture/no-such-image", version: "1.0.0" };
      const events = await host.run(dockerCall("echo", "echo", {}, { launch }));
      expect(errorOf(events)).toMatchObject({
        code: "INSTALL_FAILED",
        executed: "no",
        message: "The image fixture/no-such-image:1.0.0 could not be pulled.",
        details: { package: "fixture/no-such-image:1.0.0", exit_code: 1 },
      });
      expect(errorOf(events).details?.["stderr_tail"]).toContain("registry");
      expect(eventsNamed(events, "phase")).toEqual([{ event: "phase", phase: "install" }]);
    });

    it("that the host may not pull is refused with the operator's remedy", async () => {
      const never = await start({ GANGWAY_HOST_DOCKER_PULL: "never" });
      const launch = { package: "fixture/no-such-image", version: "1.0.0" };
      const error = errorOf(await never.run(dockerCall("echo", "echo", {}, { launch })));
      expect(error).toMatchObject({
        code: "INSTALL_FAILED",
        hint: expect.stringContaining("GANGWAY_HOST_DOCKER_PULL=never"),
      });
      expect(textOf(await never.run(dockerCall("echo", "pid")))).toMatch(/^\d+$/);
      await never.dispose();
    });

    it("whose program cannot be run is told as a failed start, and leaves no container", async () => {
      const before = await engine.containers();
      const error = errorOf(await host.run(dockerCall("no-such-program", "any")));
      expect(error).toMatchObject({ code: "PROCESS_START_FAILED", executed: "no" });
      expect(error.details?.["stderr_tail"]).toContain("ERR_MODULE_NOT_FOUND");
      await until("it is gone", async () => (await engine.containers()).length <= before.length);
    });
  });

  describe("a caller", () => {
    it("cannot choose the engine, whatever it writes", async () => {
      for (const name of ["DOCKER_HOST", "docker_host", "DOCKER_CONTEXT", "DOCKER_CONFIG"]) {
        const launch = { env: { [name]: "tcp://127.0.0.1:1" }, env_opt_in: [name] };
        expect(errorOf(await host.run(dockerCall("echo", "pid", {}, { launch })))).toMatchObject({
          code: "LAUNCH_NOT_ALLOWED",
          details: { reason: "env-name-reserved" },
        });
      }
    });

    it("cannot steer the docker command by what it obeys", async () => {
      const launch = { env: { GODEBUG: "http2debug=2" } };
      expect(errorOf(await host.run(dockerCall("echo", "pid", {}, { launch })))).toMatchObject({
        code: "LAUNCH_NOT_ALLOWED",
        details: { reason: "env-name-reserved" },
      });
    });

    it("gets nothing of the host's own environment into a container", async () => {
      const rich = await start({
        CANARY: "canary-of-the-host",
        HTTP_PROXY: "http://canary.example:1",
      });
      const seen = textOf(await rich.run(dockerCall("probe", "probe")));
      expect(seen).not.toContain("canary");
      await rich.dispose();
    });
  });

  it("streams progress from a container", async () => {
    const events = await readEvents(await host.send(dockerCall("progress", "steps", { count: 3 })));
    expect(eventsNamed(events, "progress").length).toBeGreaterThan(0);
  });
});

describe("docker servers without an engine", () => {
  it.each([
    ["an engine that is down", { GANGWAY_HOST_DOCKER_ENGINE: "unix:///nowhere/docker.sock" }],
    ["docker servers switched off", { GANGWAY_HOST_DOCKER_ENGINE: "none" }],
    ["no docker command", { PATH: "/nowhere", GANGWAY_HOST_NPM_CLI: process.execPath }],
  ])("are LAUNCHER_UNAVAILABLE with a remedy: %s", async (_what, environment) => {
    const host = await startHost({ environment });
    const error = errorOf(await host.run(dockerCall("echo", "pid")));
    expect(error).toMatchObject({
      code: "LAUNCHER_UNAVAILABLE",
      executed: "no",
      details: { runner: "docker" },
      hint: expect.stringMatching(/GANGWAY_HOST_DOCKER_(ENGINE|CLI).*`hosts`/),
    });
    await host.dispose();
  });
});
