import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { fixturePackage, stdioFixtures } from "../../support/npm-registry.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  runRequest,
  textOf,
} from "../../support/run-request.ts";

const token = "tok-4f1e9a";
const secret = { launch: { secret_env: { TOKEN: token } } };
let host: FixtureHost;

beforeAll(async () => {
  const shellServer = {
    name: "shell-server",
    version: "1.0.0",
    bin: "server.sh",
    files: {
      "server.sh": '#!/bin/sh\nexec node "$(dirname "$0")/echo.mjs"\n',
      ...stdioFixtures().files,
    },
  };
  host = await startFixtureHost(
    { GANGWAY_HOST_STOP_GRACE_MS: "200", GANGWAY_HOST_MAX_PROCESSES: "100" },
    [
      stdioFixtures(),
      fixturePackage("echo", { name: "@fixture/only", version: "1.0.0" }),
      shellServer,
    ],
  );
});
afterAll(() => host.dispose());

describe("a run", () => {
  it("tells its phases, then the result, and says whether the process was warm", async () => {
    const cold = await host.run(
      callRequest("echo", "echo", { value: "ä 漢 🙂 \u2028" }, { pool_key: "phases" }),
    );
    expect(cold.map(({ event }) => event)).toEqual([
      "accepted",
      "phase",
      "phase",
      "sent",
      "result",
    ]);
    expect(eventsNamed(cold, "phase").map(({ phase }) => phase)).toEqual(["install", "handshake"]);
    expect(JSON.parse(textOf(cold))).toEqual({ value: "ä 漢 🙂 \u2028" });
    expect(resultOf(cold).session).toMatchObject({
      era: "legacy",
      protocol_version: "2025-11-25",
      warm: false,
    });
    const warm = await host.run(callRequest("echo", "echo", {}, { pool_key: "phases" }));
    expect(warm.map(({ event }) => event)).toEqual(["accepted", "sent", "result"]);
    expect(resultOf(warm).session.warm).toBe(true);
  });

  it("may take longer than a timer can be set to", async () => {
    const longMs = 2 ** 40;
    const limits = {
      install_ms: longMs,
      handshake_ms: longMs,
      call_ms: longMs,
      progress_extends_to_ms: longMs,
    };
    const patient = callRequest("echo", "pid", {}, { pool_key: "patient", limits });
    expect(resultOf(await host.run(patient)).session.warm).toBe(false);
  });

  it("lists prompts", async () => {
    const { result } = resultOf(
      await host.run(runRequest("echo", { operation: { method: "prompts/list" } })),
    );
    expect(result).toMatchObject({ prompts: [{ name: "greet" }] });
  });

  it("lists the tools of every page (case 49)", async () => {
    const { result } = resultOf(await host.run(runRequest("paged-tools")));
    expect(result["tools"]).toHaveLength(25);
  });

  it("keeps every kind of content block as the server sent it (case 40)", async () => {
    const { result, warnings } = resultOf(await host.run(callRequest("every-content", "all")));
    const { content } = result as { content: { type: string }[] };
    expect(content.map(({ type }) => type)).toEqual([
      "text",
      "image",
      "audio",
      "resource",
      "resource",
      "resource_link",
    ]);
    expect(content[0]).toMatchObject({
      text: "plain: ä 漢 🙂",
      annotations: { audience: ["user"], priority: 0.5 },
    });
    expect(warnings).toEqual([]);
  });

  it("loses nothing around a malformed block or tool", async () => {
    const called = resultOf(await host.run(callRequest("malformed-blocks", "blocks")));
    expect(JSON.stringify(called.result)).toContain("also kept");
    expect(called.warnings.length).toBeGreaterThan(0);
    const listed = resultOf(await host.run(runRequest("malformed-blocks")));
    expect((listed.result["tools"] as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["blocks", "other"]),
    );
  });

  it("gives a tool's own failure as a result (case 41)", async () => {
    const { result } = resultOf(await host.run(callRequest("is-error", "fail")));
    expect(result).toMatchObject({ isError: true, content: [{ text: "the disk is full" }] });
  });

  it("gives a server's JSON-RPC error with code and data, secrets masked", async () => {
    const error = errorOf(
      await host.run(
        callRequest("echo", "refuse", { why: token }, { pool_key: "refuse", ...secret }),
      ),
    );
    expect(error).toMatchObject({
      code: "SERVER_ERROR",
      executed: "maybe",
      details: { rpc_code: -32001, rpc_data: { why: "***" } },
    });
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
    expect(textOf(await host.run(callRequest("half-a-line", "split", { value: "ä🙂" })))).toBe(
      "ä🙂",
    );
  });

  it("takes an answer whose line feed is missing at the end of stdout", async () => {
    expect(textOf(await host.run(callRequest("half-a-line", "whole-without-newline")))).toBe(
      "complete",
    );
  });

  it("speaks the pinned revision to a server that knows no other", async () => {
    const pinned = { protocol: "2026-07-28" as const };
    const called = await host.run(callRequest("modern", "echo", { n: 1 }, pinned));
    expect(resultOf(called).session).toMatchObject({
      era: "modern",
      protocol_version: "2026-07-28",
    });
    expect(textOf(called)).toBe('{"n":1}');
    expect(resultOf(await host.run(runRequest("modern", pinned))).result["tools"]).toContainEqual(
      expect.objectContaining({ name: "echo" }),
    );
  });

  it("leaves no trace of values, arguments or results in the log", async () => {
    const seen = { value: "argument-9c1f" };
    await host.run(callRequest("echo", "echo", seen, { pool_key: "traces", ...secret }));
    expect(host.log.length).toBeGreaterThan(0);
    expect(JSON.stringify(host.log)).not.toMatch(new RegExp(`${token}|${seen.value}`));
  });

  it("runs the only program of a package, and one that is no JavaScript", async () => {
    const only = callRequest(
      null,
      "echo",
      { n: 1 },
      { pool_key: "only", launch: { package: "@fixture/only" } },
    );
    expect(textOf(await host.run(only))).toBe('{"n":1}');
    const shell = callRequest(
      null,
      "echo",
      { n: 2 },
      { pool_key: "shell", launch: { package: "shell-server" } },
    );
    expect(textOf(await host.run(shell))).toBe('{"n":2}');
  });

  it("refuses a program that the package does not declare, and asks when it declares several", async () => {
    const undeclared = errorOf(await host.run(runRequest("left-pad")));
    expect(undeclared).toMatchObject({
      code: "LAUNCH_NOT_ALLOWED",
      details: { reason: "bin-not-declared" },
    });
    const undecided = errorOf(await host.run(runRequest(null)));
    expect(undecided).toMatchObject({ code: "PROCESS_START_FAILED", executed: "no" });
  });
});

describe("the surroundings of a server", () => {
  it("are a minimal environment, its own and empty 0700 folders, and the launch's own variables, secret ones last", async () => {
    const events = await host.run(
      callRequest(
        "env-printer",
        "surroundings",
        {},
        {
          launch: {
            args: ["--flag", "a b;$(c)"],
            env: { PLAIN: "1", BOTH: "plain" },
            secret_env: { TOKEN: token, BOTH: "secret" },
          },
        },
      ),
    );
    const seen = JSON.parse(textOf(events));
    expect(Object.keys(seen.env).sort()).toEqual([
      "BOTH",
      "HOME",
      "LANG",
      "PATH",
      "PLAIN",
      "TMPDIR",
      "TOKEN",
    ]);
    expect(seen.env).toMatchObject({ PLAIN: "1", BOTH: "secret", TOKEN: token });
    expect(seen.argv).toEqual(["--flag", "a b;$(c)"]);
    expect(seen.modes).toEqual(["700", "700", "700"]);
    expect(seen.cwdFiles).toEqual([]);
    expect(seen.cwd.startsWith(host.dataDir)).toBe(true);
  });

  it("have no package runner between host and server", async () => {
    const { parent } = JSON.parse(
      textOf(await host.run(callRequest("env-printer", "surroundings"))),
    );
    expect(parent).toBe(host.pid);
  });
});
