import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processesOf, until } from "../../support/host-processes.ts";
import { fixturePackage, type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { callRequest, errorOf, eventsNamed, resultOf, runRequest, textOf } from "../../support/run-request.ts";
import { eventsOf, type StartedHost, startHost } from "../../support/start-host.ts";

const token = "tok-4f1e9a";
const secret = { launch: { secret_env: { TOKEN: token } } };
let registry: NpmRegistry;
let host: StartedHost;

beforeAll(async () => {
  const shellServer = {
    name: "shell-server",
    version: "1.0.0",
    bin: "server.sh",
    files: { "server.sh": '#!/bin/sh\nexec node "$(dirname "$0")/echo.mjs"\n', ...stdioFixtures().files },
  };
  registry = await startNpmRegistry([stdioFixtures(), fixturePackage("echo", { name: "@fixture/only", version: "1.0.0" }), shellServer]);
  host = await startHost({
    environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url, GANGWAY_HOST_STOP_GRACE_MS: "200", GANGWAY_HOST_MAX_PROCESSES: "100" },
  });
});
afterAll(async () => {
  await host.dispose();
  await registry.close();
});

describe("a run", () => {
  it("tells its phases, then the result, and says whether the process was warm", async () => {
    const cold = await host.run(callRequest("echo", "echo", { value: "ä 漢 🙂 \u2028" }, { pool_key: "phases" }));
    expect(cold.map(({ event }) => event)).toEqual(["accepted", "phase", "phase", "sent", "result"]);
    expect(eventsNamed(cold, "phase").map(({ phase }) => phase)).toEqual(["install", "handshake"]);
    expect(JSON.parse(textOf(cold))).toEqual({ value: "ä 漢 🙂 \u2028" });
    expect(resultOf(cold).session).toMatchObject({ era: "legacy", protocol_version: "2025-11-25", warm: false });
    const warm = await host.run(callRequest("echo", "echo", {}, { pool_key: "phases" }));
    expect(warm.map(({ event }) => event)).toEqual(["accepted", "sent", "result"]);
    expect(resultOf(warm).session.warm).toBe(true);
  });

  it("lists prompts", async () => {
    const { result } = resultOf(await host.run(runRequest("echo", { operation: { method: "prompts/list" } })));
    expect(result).toMatchObject({ prompts: [{ name: "greet" }] });
  });

  it("lists the tools of every page (case 49)", async () => {
    const { result } = resultOf(await host.run(runRequest("paged-tools")));
    expect(result["tools"]).toHaveLength(25);
  });

  it("keeps every kind of content block as the server sent it (case 40)", async () => {
    const { result, warnings } = resultOf(await host.run(callRequest("every-content", "all")));
    const { content } = result as { content: { type: string }[] };
    expect(content.map(({ type }) => type)).toEqual(["text", "image", "audio", "resource", "resource", "resource_link"]);
    expect(content[0]).toMatchObject({ text: "plain: ä 漢 🙂", annotations: { audience: ["user"], priority: 0.5 } });
    expect(warnings).toEqual([]);
  });

  it("loses nothing around a malformed block or tool", async () => {
    const called = resultOf(await host.run(callRequest("malformed-blocks", "blocks")));
    expect(JSON.stringify(called.result)).toContain("also kept");
    expect(called.warnings.length).toBeGreaterThan(0);
    const listed = resultOf(await host.run(runRequest("malformed-blocks")));
    expect((listed.result["tools"] as { name: string }[]).map(({ name }) => name)).toEqual(expect.arrayContaining(["blocks", "other"]));
  });

  it("gives a tool's own failure as a result (case 41)", async () => {
    const { result } = resultOf(await host.run(callRequest("is-error", "fail")));
    expect(result).toMatchObject({ isError: true, content: [{ text: "the disk is full" }] });
  });

  it("gives a server's JSON-RPC error with code and data, secrets masked", async () => {
    const error = errorOf(await host.run(callRequest("echo", "refuse", { why: token }, { pool_key: "refuse", ...secret })));
    expect(error).toMatchObject({ code: "SERVER_ERROR", executed: "maybe", details: { rpc_code: -32001, rpc_data: { why: "***" } } });
    expect(JSON.stringify(error)).not.toContain(token);
  });

  it("skips and logs what stdout holds besides messages, and never a value or a piece of an answer (case 17)", async () => {
    const events = await host.run(callRequest("noisy-stdout", "echo", { value: 1 }, secret));
    expect(JSON.parse(textOf(events))).toEqual({ value: 1 });
    const noise = host.log.filter(({ msg }) => String(msg).startsWith("stdout holds"));
    expect(noise.length).toBeGreaterThan(3);
    expect(JSON.stringify(noise)).toContain("token is ***");
    expect(JSON.stringify(noise)).not.toContain("private");
  });

  it("puts an answer together that comes byte by byte", async () => {
    expect(textOf(await host.run(callRequest("half-a-line", "split", { value: "ä🙂" })))).toBe("ä🙂");
  });

  it("takes an answer whose line feed is missing at the end of stdout", async () => {
    expect(textOf(await host.run(callRequest("half-a-line", "whole-without-newline")))).toBe("complete");
  });

  it("runs the only program of a package, and one that is no JavaScript", async () => {
    const only = callRequest(null, "echo", { n: 1 }, { pool_key: "only", launch: { package: "@fixture/only" } });
    expect(textOf(await host.run(only))).toBe('{"n":1}');
    const shell = callRequest(null, "echo", { n: 2 }, { pool_key: "shell", launch: { package: "shell-server" } });
    expect(textOf(await host.run(shell))).toBe('{"n":2}');
  });

  it("refuses a program that the package does not declare, and asks when it declares several", async () => {
    const undeclared = errorOf(await host.run(runRequest("left-pad")));
    expect(undeclared).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", details: { reason: "bin-not-declared" } });
    const undecided = errorOf(await host.run(runRequest(null)));
    expect(undecided).toMatchObject({ code: "PROCESS_START_FAILED", executed: "no" });
  });
});

describe("the surroundings of a server", () => {
  it("are a minimal environment, its own and empty 0700 folders, and the launch's own variables, secret ones last", async () => {
    const events = await host.run(
      callRequest("env-printer", "surroundings", {}, {
        launch: { args: ["--flag", "a b;$(c)"], env: { PLAIN: "1", BOTH: "plain" }, secret_env: { TOKEN: token, BOTH: "secret" } },
      }),
    );
    const seen = JSON.parse(textOf(events));
    expect(Object.keys(seen.env).sort()).toEqual(["BOTH", "HOME", "LANG", "PATH", "PLAIN", "TMPDIR", "TOKEN"]);
    expect(seen.env).toMatchObject({ PLAIN: "1", BOTH: "secret", TOKEN: token });
    expect(seen.argv).toEqual(["--flag", "a b;$(c)"]);
    expect(seen.modes).toEqual(["700", "700", "700"]);
    expect(seen.cwdFiles).toEqual([]);
    expect(seen.cwd.startsWith(host.dataDir)).toBe(true);
  });

  it("have no package runner between host and server", async () => {
    const { parent } = JSON.parse(textOf(await host.run(callRequest("env-printer", "surroundings"))));
    expect(parent).toBe(host.pid);
  });
});

describe("a server that fails", () => {
  it("by ending in a call: the call fails within a second with exit code and stderr, and the next one works (case 15)", async () => {
    const started = Date.now();
    const error = errorOf(await host.run(callRequest("crash-in-call", "crash", {}, secret)));
    expect(error).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { exit_code: 3, signal: null, stderr_tail: "about to fall; token is ***" },
    });
    expect(error.message).toContain("npx @fixture/stdio@1.0.0 crash-in-call");
    expect(Date.now() - started).toBeLessThan(3000); // With the start of the process.
    expect(textOf(await host.run(callRequest("crash-in-call", "echo", { n: 1 }, secret)))).toBe('{"n":1}');
  });

  it("by a kill -9 in the middle of a call: an error at once that names the signal, and the next call works (case 15)", async () => {
    const request = { pool_key: "kill-9" };
    const pid = Number(textOf(await host.run(callRequest("hang", "pid", {}, request))));
    let killedAt = 0;
    for await (const event of eventsOf(await host.send(callRequest("hang", "hang", {}, request)))) {
      if (event.event === "sent") {
        killedAt = Date.now();
        process.kill(pid, "SIGKILL");
      }
      if (event.event === "error") {
        expect(event.error).toMatchObject({ code: "PROCESS_EXITED", executed: "maybe", details: { signal: "SIGKILL" } });
      }
    }
    expect(Date.now() - killedAt).toBeLessThan(1000);
    expect(Number(textOf(await host.run(callRequest("hang", "pid", {}, request))))).not.toBe(pid);
  });

  it("by ending before it is ready: PROCESS_START_FAILED with exit code and stderr", async () => {
    const error = errorOf(await host.run(callRequest("crash-at-start", "any", {}, secret)));
    expect(error).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      details: { exit_code: 7, stderr_tail: "missing setting; token is ***" },
    });
  });

  it("by never answering the handshake: CONNECT_TIMEOUT with its stderr, and no process is left (case 16)", async () => {
    const error = errorOf(await host.run(runRequest("hang-at-start", { limits: { handshake_ms: 700 } })));
    expect(error).toMatchObject({ code: "CONNECT_TIMEOUT", executed: "no", details: { stderr_tail: "waiting for a database that never comes" } });
    await until("the hanging server is gone", () => !processLine("hang-at-start"));
  });

  it("by never answering a call: REQUEST_TIMEOUT, and the next call gets a new process", async () => {
    const request = { pool_key: "timeout" };
    const pid = textOf(await host.run(callRequest("hang", "pid", {}, request)));
    const error = errorOf(await host.run(callRequest("hang", "hang", {}, { ...request, limits: { call_ms: 300, progress_extends_to_ms: 300 } })));
    expect(error).toMatchObject({ code: "REQUEST_TIMEOUT", executed: "maybe" });
    expect(textOf(await host.run(callRequest("hang", "pid", {}, request)))).not.toBe(pid);
  });

  it("by half an answer and its end: PROCESS_EXITED", async () => {
    expect(errorOf(await host.run(callRequest("half-a-line", "half")))).toMatchObject({ code: "PROCESS_EXITED", executed: "maybe", details: { exit_code: 0 } });
  });

  it("by closing stdout while it lives: the call fails and the process is ended", async () => {
    const pid = Number(textOf(await host.run(callRequest("close-stdout", "pid"))));
    expect(errorOf(await host.run(callRequest("close-stdout", "close")))).toMatchObject({ code: "PROCESS_EXITED", executed: "maybe" });
    await until("the process is gone", () => !processesOf(host.dataDir, host.pid).includes(pid));
  });

  it("by arguments that no process can have: PROCESS_START_FAILED without showing them", async () => {
    const error = errorOf(await host.run(runRequest("echo", { launch: { env: { VALUE: `${token}\0` } } })));
    expect(error).toMatchObject({ code: "PROCESS_START_FAILED", executed: "no" });
    expect(JSON.stringify(error)).not.toContain(token);
  });
});

describe("an answer above the limit", () => {
  const limits = { result_bytes: 100_000 };

  it("fails its own call and no other, and the process goes on", async () => {
    const request = { pool_key: "large", limits };
    const pid = textOf(await host.run(callRequest("flood", "pid", {}, request)));
    const [large, small] = await Promise.all([
      host.run(callRequest("flood", "big", { bytes: 200_000 }, request)),
      host.run(callRequest("flood", "big", { bytes: 50_000 }, request)),
    ]);
    expect(errorOf(large)).toMatchObject({ code: "RESPONSE_TOO_LARGE", executed: "maybe", details: { limit_bytes: 100_000 } });
    expect(textOf(small)).toHaveLength(50_000);
    expect(textOf(await host.run(callRequest("flood", "pid", {}, request)))).toBe(pid);
  });

  it("is dropped in silence when it is a notification", async () => {
    const events = await host.run(callRequest("flood", "big-notification", { bytes: 200_000 }, { limits }));
    expect(textOf(events)).toBe("done");
  });

  it("fails all calls in flight when nobody can tell whose it is", async () => {
    const request = { pool_key: "large-unknown", limits };
    await host.run(callRequest("flood", "pid", {}, request));
    const hanging = host.run(callRequest("flood", "hang", {}, request));
    const unknown = host.run(callRequest("flood", "big-without-id", { bytes: 200_000 }, request));
    expect(errorOf(await unknown)).toMatchObject({ code: "RESPONSE_TOO_LARGE", executed: "maybe" });
    expect(errorOf(await hanging)).toMatchObject({ code: "RESPONSE_TOO_LARGE", executed: "maybe" });
  });

  it("ends the process when it has no end, and the next call gets a new one", async () => {
    const request = { pool_key: "endless", limits };
    expect(errorOf(await host.run(callRequest("flood", "flood", {}, request)))).toMatchObject({ code: "RESPONSE_TOO_LARGE", executed: "maybe" });
    expect(resultOf(await host.run(callRequest("flood", "pid", {}, request))).session.warm).toBe(false);
  });
});

describe("an encoding other than UTF-8", () => {
  it("is read by its Python name, and written as ASCII that every encoding reads", async () => {
    const events = await host.run(callRequest("latin-1", "echo", { value: "Grüße ÿ" }, { launch: { encoding: "latin_1" } }));
    expect(textOf(events)).toBe("Grüße ÿ");
  });

  it("fails the calls in flight when it is not what the config says, naming the label", async () => {
    const request = { pool_key: "undecodable" };
    await host.run(runRequest("latin-1", request));
    const hanging = host.run(callRequest("latin-1", "hang", {}, request));
    const error = errorOf(await host.run(callRequest("latin-1", "echo", { value: "Grüße" }, request)));
    expect(error).toMatchObject({ code: "RESPONSE_INVALID", executed: "maybe", details: { encoding: "utf-8" } });
    expect(error.message).toContain("utf-8");
    expect(errorOf(await hanging)).toMatchObject({ code: "RESPONSE_INVALID" });
  });

  it("is refused when no table row has it", async () => {
    expect(errorOf(await host.run(runRequest("echo", { launch: { encoding: "klingon" } })))).toMatchObject({ code: "CONFIG_INVALID", executed: "no" });
  });
});

describe("progress and log records", () => {
  it("are streamed as they come, masked, records from the wanted level on (case 39)", async () => {
    const events = await host.run(callRequest("progress", "steps", { count: 4 }, { log_level: "info", ...secret }));
    expect(eventsNamed(events, "progress").map(({ progress, total, message }) => [progress, total, message])).toEqual(
      [1, 2, 3, 4].map((step) => [step, 4, `step ${step} of ***`]),
    );
    expect(eventsNamed(events, "log")).toEqual(
      [1, 3].map((step) => ({ event: "log", level: "warning", logger: "fixture", data: { progress: step, token: "***" } })),
    );
    expect(textOf(events)).toBe("4 steps");
  });

  it("extends the time limit up to its cap (case 35)", async () => {
    const limits = { call_ms: 250, progress_extends_to_ms: 20_000 };
    expect(textOf(await host.run(callRequest("progress", "steps", { count: 6 }, { limits })))).toBe("6 steps");
    const capped = { call_ms: 250, progress_extends_to_ms: 600 };
    expect(errorOf(await host.run(callRequest("progress", "endless", {}, { limits: capped })))).toMatchObject({ code: "REQUEST_TIMEOUT", executed: "maybe" });
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
  it.each([
    ["by DELETE", async (id: string) => void (await host.cancel(id))],
    ["by the caller's disconnect", async (_id: string, gone: AbortController) => gone.abort()],
  ])("is cancelled at the server as well, %s (case 38)", async (how, cancel) => {
    const request = { pool_key: `cancel ${how}` };
    const hanging = callRequest("hang", "hang", {}, request);
    const gone = new AbortController();
    try {
      for await (const event of eventsOf(await host.send(hanging, gone.signal))) {
        if (event.event === "sent") await cancel(hanging.request_id, gone);
        if (event.event === "error") expect(event.error).toMatchObject({ code: "CANCELLED", executed: "maybe" });
      }
    } catch (error) {
      expect(error).toMatchObject({ name: "AbortError" });
    }
    const count = async () => textOf(await host.run(callRequest("hang", "cancellations", {}, request)));
    await until("the server has heard of it", async () => (await count()) === "1");
  });

  it("leaves the install that it waited for to the next caller", async () => {
    registry.publish(fixturePackage("echo", { name: "slow-to-come", version: "1.0.0" }));
    const release = registry.hold();
    const launch = { package: "slow-to-come", version: "1.0.0" };
    const first = callRequest(null, "echo", { n: 1 }, { pool_key: "slow", launch });
    for await (const event of eventsOf(await host.send(first))) {
      if (event.event === "phase") await host.cancel(first.request_id);
      if (event.event === "error") expect(event.error).toMatchObject({ code: "CANCELLED", executed: "no" });
    }
    release();
    expect(textOf(await host.run(callRequest(null, "echo", { n: 1 }, { pool_key: "slow", launch })))).toBe('{"n":1}');
  });
});

function processLine(program: string): boolean {
  return processesOf(`${program}.mjs`, host.pid).length > 0;
}
