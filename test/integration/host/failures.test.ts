import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { processesOf, until } from "../../support/host-processes.ts";

import { callRequest, errorOf, runRequest, textOf } from "../../support/run-request.ts";
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

describe("a server that fails", () => {
  it("by speaking no version that the config pins: VERSION_UNSUPPORTED", async () => {
    const error = errorOf(await host.run(runRequest("echo", { protocol: "2026-07-28" })));
    expect(error).toMatchObject({ code: "VERSION_UNSUPPORTED", executed: "no" });
  });

  it("by ending in a call: the call fails at once with exit code and stderr, and the next one works (case 15)", async () => {
    const error = errorOf(await host.run(callRequest("crash-in-call", "crash", {}, secret)));
    expect(error).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { exit_code: 3, signal: null, stderr_tail: "about to fall; token is ***" },
    });
    expect(error.message).toContain("npx @fixture/stdio@1.0.0 crash-in-call");
    expect(textOf(await host.run(callRequest("crash-in-call", "echo", { n: 1 }, secret)))).toBe(
      '{"n":1}',
    );
  });

  it("by a kill -9 in the middle of a call: an error at once that names the signal, and the next call works (case 15)", async () => {
    const request = { pool_key: "kill-9" };
    const pid = Number(textOf(await host.run(callRequest("hang", "pid", {}, request))));
    const response = await host.send(callRequest("hang", "hang", {}, request));
    const events = await readEvents(response, ({ event }) => {
      if (event !== "sent") return;
      process.kill(pid, "SIGKILL");
    });
    expect(errorOf(events)).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { signal: "SIGKILL" },
    });
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
    const error = errorOf(
      await host.run(runRequest("hang-at-start", { limits: { handshake_ms: 700 } })),
    );
    expect(error).toMatchObject({
      code: "CONNECT_TIMEOUT",
      executed: "no",
      details: { stderr_tail: "waiting for a database that never comes" },
    });
    await until("the hanging server is gone", () => !processLine("hang-at-start"));
  });

  it("to be ready: each caller's own time limit ends its wait, not the start", async () => {
    const limits = (handshake_ms: number) => ({ pool_key: "joined", limits: { handshake_ms } });
    const patient = host.run(runRequest("hang-at-start", limits(2500)));
    await until("the server starts", () => processLine("hang-at-start"));
    const hasty = errorOf(await host.run(runRequest("hang-at-start", limits(100))));
    expect(hasty).toMatchObject({ code: "CONNECT_TIMEOUT", executed: "no" });
    expect(processLine("hang-at-start")).toBe(true);
    expect(errorOf(await patient)).toMatchObject({ code: "CONNECT_TIMEOUT", executed: "no" });
  });

  it("by never answering a call: REQUEST_TIMEOUT, and the next call gets a new process", async () => {
    const request = { pool_key: "timeout" };
    const pid = textOf(await host.run(callRequest("hang", "pid", {}, request)));
    const error = errorOf(
      await host.run(
        callRequest(
          "hang",
          "hang",
          {},
          { ...request, limits: { call_ms: 300, progress_extends_to_ms: 300 } },
        ),
      ),
    );
    expect(error).toMatchObject({ code: "REQUEST_TIMEOUT", executed: "maybe" });
    expect(error.message).toContain("did not answer tools/call within 300 ms.");
    expect(textOf(await host.run(callRequest("hang", "pid", {}, request)))).not.toBe(pid);
  });

  it("by half an answer and its end: PROCESS_EXITED", async () => {
    expect(errorOf(await host.run(callRequest("half-a-line", "half")))).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { exit_code: 0 },
    });
  });

  it("by closing stdout while it lives: the call fails and the process is ended", async () => {
    const pid = Number(textOf(await host.run(callRequest("close-stdout", "pid"))));
    expect(errorOf(await host.run(callRequest("close-stdout", "close")))).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
    });
    await until("the process is gone", () => !processesOf(host.dataDir, host.pid).includes(pid));
  });

  it.each([
    ["a NUL in a variable", { env: { VALUE: `${token}\0` } }, /hold a NUL character/],
    ["a NUL in an argument", { args: [`${token}\0`] }, /hold a NUL character/],
    ["a variable of a megabyte", { env: { VALUE: token.repeat(100_000) } }, /larger than/],
    ["an argument of a megabyte", { args: [token.repeat(100_000)] }, /larger than/],
  ])(
    "by what no process can be given, %s: PROCESS_START_FAILED that says so, without the value",
    async (_what, launch, told) => {
      const error = errorOf(await host.run(runRequest("echo", { launch })));
      expect(error).toMatchObject({ code: "PROCESS_START_FAILED", executed: "no" });
      expect(error.message).toMatch(told);
      expect(JSON.stringify(error)).not.toContain(token);
    },
  );
});

function processLine(program: string): boolean {
  return processesOf(`${program}.mjs`, host.pid).length > 0;
}
