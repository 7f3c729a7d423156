import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { importPythonMcpImage } from "../../support/docker-images.ts";
import { until } from "../../support/host-processes.ts";
import { setUpPythonMcp } from "../../support/python-mcp-setup.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  type RunChanges,
  textOf,
} from "../../support/run-request.ts";
import { readEvents, type StartedHost, startHost } from "../../support/start-host.ts";

const noEngine = await whyNoEngine();
const python = noEngine === null ? await setUpPythonMcp() : noEngine;
const slow = { timeout: 120_000 };
const token = "canary-5b2e77";

const call = (tool: string, args: Record<string, unknown> = {}, changes: RunChanges = {}) =>
  callRequest(null, tool, args, {
    pool_key: "python",
    // A busy machine takes long to load the SDK.
    limits: { handshake_ms: 60_000 },
    ...changes,
    launch: {
      runner: "docker",
      package: "fixture/python-mcp",
      version: "1",
      env: { PLAIN: "plain" },
      secret_env: { TOKEN: token },
    },
  });

describe.skipIf(typeof python === "string")("an image with Python's MCP SDK", slow, () => {
  let engine: DockerEngine;
  let host: StartedHost;

  beforeAll(async () => {
    if (typeof python === "string") throw new TypeError(python);
    engine = await startDockerEngine();
    await importPythonMcpImage(engine, { image: "fixture/python-mcp:1", python });
    host = await startHost({
      environment: {
        GANGWAY_HOST_DOCKER_ENGINE: engine.host,
        GANGWAY_HOST_DOCKER_MEMORY_MB: "256",
        GANGWAY_HOST_STOP_GRACE_MS: "500",
      },
    });
  }, 120_000);
  afterAll(async () => {
    await host?.dispose();
    await engine?.close();
  });

  it("answers, with its progress", async () => {
    const events = await host.run(call("count", { to: 3 }));
    expect(textOf(events)).toBe("counted to 3");
    expect(eventsNamed(events, "progress").map(({ progress }) => progress)).toEqual([1, 2, 3]);
    expect(textOf(await host.run(call("echo", { text: "Grüße 漢字" })))).toBe("Grüße 漢字");
  });

  it("gets its variables by name: no argument shows a value (cases 27, 29)", async () => {
    const environment = JSON.parse(textOf(await host.run(call("environment"))));
    expect(environment).toMatchObject({ PLAIN: "plain", TOKEN: token });
    const [name = ""] = await engine.containers();
    expect(await engine.docker("inspect", "--format", "{{json .Args}}", name)).not.toContain(token);
  });

  it("is ended when it takes more memory than it may, and its call fails", async () => {
    expect(errorOf(await host.run(call("take", { mebibytes: 900 })))).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { exit_code: 137 },
    });
    expect(resultOf(await host.run(call("echo", { text: "again" }))).session.warm).toBe(false);
  });

  it("that is killed in a call fails the call at once (case 15)", async () => {
    const events = await readEvents(await host.send(call("hang")), async ({ event }) => {
      if (event !== "sent") return;
      const [name = ""] = await engine.containers();
      await engine.docker("kill", "--signal", "KILL", name);
    });
    expect(errorOf(events)).toMatchObject({ code: "PROCESS_EXITED", executed: "maybe" });
  });

  it("leaves no container when its host ends, in the middle of a call as well (case 12)", async () => {
    let running: string[] = [];
    await readEvents(await host.send(call("hang")), async ({ event }) => {
      if (event !== "sent") return;
      running = await engine.containers();
      void host.end("SIGTERM");
    });
    expect(running).toHaveLength(1);
    await until("no container is left", async () => (await engine.containers()).length === 0);
  });
});
