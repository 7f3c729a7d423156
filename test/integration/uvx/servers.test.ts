import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryText } from "../../../functions/host/launch/npm/package-spec.ts";
import { descendants } from "../../support/process-tree.ts";
import { isRunning, processesOf, until } from "../../support/host-processes.ts";
import {
  makeUvStandIn,
  pythonServer,
  type UvStandIn,
  whyNoPipx,
} from "../../support/pipx-stand-in.ts";
import {
  callRequest,
  errorOf,
  resultOf,
  type RunChanges,
  textOf,
} from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

const noPipx = await whyNoPipx();

describe.skipIf(noPipx !== null)("uvx servers, with a stand-in for uv built on pipx", () => {
  let uv: UvStandIn;
  let host: StartedHost;

  const started: StartedHost[] = [];
  const start = async (environment: Record<string, string> = {}, dataDir?: string) => {
    const one = await startHost({
      environment: { GANGWAY_HOST_UV: uv.path, GANGWAY_HOST_STOP_GRACE_MS: "300", ...environment },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    started.push(one);
    return one;
  };
  const call = (name: string, version: string | null, { launch, ...changes }: RunChanges = {}) =>
    callRequest(
      null,
      "surroundings",
      {},
      {
        pool_key: `${name}@${version}`,
        ...changes,
        launch: { runner: "uvx", package: name, version, bin: null, ...launch },
      },
    );
  const seen = async (request: ReturnType<typeof call>, on = host) =>
    JSON.parse(textOf(await on.run(request)));
  const entries = async () =>
    (await readdir(join(host.dataDir, "uvx", "packages")).catch(() => [])).map(entryText);

  beforeAll(async () => {
    uv = await makeUvStandIn();
    await uv.publish(pythonServer("fixture-server"));
    host = await start();
  });
  afterAll(async () => {
    await Promise.all(started.map((one) => one.dispose()));
    await uv?.close();
  });

  it("run the package's program directly, with no runner between (case 12)", async () => {
    const launch = { args: ["--flag", "a b"], env: { LEVEL: "debug" } };
    const server = await seen(call("fixture-server", "1.0.0", { launch }));
    expect(server).toMatchObject({
      argv: ["--flag", "a b"],
      parent: host.pid,
      env: { LEVEL: "debug", PYTHONDONTWRITEBYTECODE: "1" },
    });
    expect(server.prefix).toContain(join(host.dataDir, "uvx", "packages"));
    expect(server.executable.startsWith(server.prefix)).toBe(true);
    expect(Object.keys(server.env).filter((name) => /^(?:UV_|PIP)/.test(name))).toEqual([]);
    expect(descendants(server.pid)).toHaveLength(1);
  });

  it("are warm from the second call on", async () => {
    const first = await seen(call("fixture-server", "1.0.0", { pool_key: "warm" }));
    const second = await host.run(call("fixture-server", "1.0.0", { pool_key: "warm" }));
    expect(resultOf(second).session.warm).toBe(true);
    expect(JSON.parse(textOf(second)).pid).toBe(first.pid);
  });

  it("hand uv the hardened environment and nothing of the host's own", async () => {
    const [first] = await uv.calls();
    expect(first?.args).toEqual(["tool", "install", "--", "fixture-server==1.0.0"]);
    expect(first?.env).toMatchObject({ UV_NO_BUILD: "1", UV_NO_CONFIG: "1", UV_ISOLATED: "1" });
    const foreign = Object.keys(first?.env ?? {}).filter((name) => name.startsWith("GANGWAY"));
    expect(foreign).toEqual([]);
  });

  it("run another program that the package declares, and no other", async () => {
    const other = await seen(
      call("fixture-server", "1.0.0", { launch: { bin: "fixture-server-other" }, pool_key: "o" }),
    );
    expect(other.program).toMatch(/bin\/fixture-server-other$/);
    for (const bin of ["pip", "python", "activate"]) {
      const request = call("fixture-server", "1.0.0", { launch: { bin }, pool_key: bin });
      expect(errorOf(await host.run(request))).toMatchObject({
        code: "LAUNCH_NOT_ALLOWED",
        executed: "no",
      });
    }
  });

  it("run no program of a dependency", async () => {
    const { scripts, ...rest } = pythonServer("leading-server");
    await uv.publish({ ...rest, scripts, dependencies: ["fixture-server"] });
    const request = call("leading-server", "1.0.0", { launch: { bin: "fixture-server" } });
    expect(errorOf(await host.run(request))).toMatchObject({
      code: "LAUNCH_NOT_ALLOWED",
      details: { reason: "bin-not-declared" },
    });
    expect(await seen(call("leading-server", "1.0.0", { pool_key: "leads" }))).toHaveProperty(
      "pid",
    );
  });

  it("are installed once for all who ask at the same time, in any spelling of the name", async () => {
    await uv.publish(pythonServer("asked-often"));
    const spellings = ["asked-often", "Asked_Often", "asked.often", "asked-often"];
    const runs = await Promise.all(
      spellings.map((name, n) => host.run(call(name, "1.0.0", { pool_key: `asked ${n}` }))),
    );
    expect(runs.map((events) => resultOf(events).session.warm)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const calls = await uv.calls();
    expect(calls.filter(({ args }) => args.at(-1) === "asked-often==1.0.0")).toHaveLength(1);
  });

  it("without a version are resolved once within its time to live", async () => {
    await uv.publish(pythonServer("moving", "1.0.0"));
    await host.run(call("moving", null));
    await uv.publish(pythonServer("moving", "1.1.0"));
    await host.run(call("moving", "latest", { pool_key: "moving later" }));
    expect(await entries()).toContain("moving@1.0.0");
    expect(await entries()).not.toContain("moving@1.1.0");
    expect((await uv.calls()).filter(({ args }) => args.at(-1) === "moving")).toHaveLength(1);
  });

  it("fall back to the version that was last meant when the index is down", async () => {
    const dataDir = host.dataDir;
    await uv.publish(pythonServer("durable"));
    await host.run(call("durable", null));
    const broken = await start(
      { GANGWAY_HOST_TAG_TTL_S: "0", GANGWAY_HOST_UV: "/bin/false" },
      dataDir,
    );
    expect(resultOf(await broken.run(call("durable", null))).session.warm).toBe(false);
    expect(errorOf(await broken.run(call("never-seen", null)))).toMatchObject({
      code: "INSTALL_FAILED",
    });
    await broken.dispose();
  });

  it("that no index has are told with the installer's last words, and leave nothing", async () => {
    const error = errorOf(await host.run(call("no-such-package", "1.0.0")));
    expect(error).toMatchObject({
      code: "INSTALL_FAILED",
      executed: "no",
      hint: expect.stringContaining("GANGWAY_HOST_UV_BUILD"),
      details: { package: "no-such-package==1.0.0", exit_code: 1 },
    });
    expect(error.details?.["stderr_tail"]).toContain("no-such-package");
    expect(await entries()).not.toContain("no-such-package@1.0.0");
  });

  it("that take too long to install are there for the next caller (case 16)", async () => {
    await uv.publish(pythonServer("slow-server"));
    await uv.hold();
    const late = call("slow-server", "1.0.0", { limits: { install_ms: 300 } });
    expect(errorOf(await host.run(late))).toMatchObject({
      code: "INSTALL_TIMEOUT",
      executed: "no",
    });
    await uv.release();
    expect(await seen(call("slow-server", "1.0.0"))).toHaveProperty("pid");
    const calls = await uv.calls();
    expect(calls.filter(({ args }) => args.at(-1) === "slow-server==1.0.0")).toHaveLength(1);
  });

  it("are gone with the host's kill -9, in the middle of an installation as well (case 11)", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gangway-uvx-test-"));
    const killed = await start({}, dataDir);
    const { pid } = await seen(call("fixture-server", "1.0.0"), killed);
    await uv.publish(pythonServer("cut-off"));
    await uv.hold();
    const response = await killed.send(call("cut-off", "1.0.0"));
    await until("uv runs", async () =>
      (await uv.calls()).some(({ args }) => args.at(-1) === "cut-off==1.0.0"),
    );
    await killed.end("SIGKILL");
    await response.body?.cancel().catch(() => undefined);
    await until(
      "nothing runs any more",
      () => !isRunning(pid) && processesOf(dataDir, killed.pid).length === 0,
    );
    await uv.release();
    const left = await readdir(join(dataDir, "uvx", "packages"));
    expect(left.map(entryText)).toEqual(["fixture-server@1.0.0"]);
    expect(await readdir(join(dataDir, "instances"))).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe("uvx servers without uv", () => {
  it("are LAUNCHER_UNAVAILABLE with a remedy", async () => {
    const host = await startHost({
      environment: { PATH: "/nowhere", GANGWAY_HOST_NPM_CLI: process.execPath },
    });
    const launch = { runner: "uvx", package: "mcp-server-time", version: "1.0.0" } as const;
    const events = await host.run(callRequest(null, "any", {}, { launch }));
    expect(errorOf(events)).toMatchObject({
      code: "LAUNCHER_UNAVAILABLE",
      executed: "no",
      details: { runner: "uvx" },
      hint: expect.stringMatching(/GANGWAY_HOST_UV.*`hosts`/),
    });
    await host.dispose();
  });
});
