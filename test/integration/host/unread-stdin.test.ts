import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GroupWatcher } from "../../../functions/host/process/group-watcher.ts";
import { ServerProcess } from "../../../functions/host/process/server-process.ts";
import { createLog } from "../../../functions/host/log.ts";

import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { callRequest, errorOf, runRequest, textOf } from "../../support/run-request.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_STOP_GRACE_MS: "200" });
});
afterAll(() => host.dispose());

describe("a server that asks and does not read its answers", () => {
  it("is stopped with the reason, while what waits for it stays bounded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gangway-unread-"));
    const log = createLog("silent");
    const watcher = new GroupWatcher(folder, { isolation: null, log });
    const program = new URL("../../fixtures/stdio/asks-much.mjs", import.meta.url).pathname;
    const { launch } = runRequest(null);
    const prepared = {
      launch,
      argv: [process.execPath, program] as const,
      command: "npx asks-much",
    };
    const server = await ServerProcess.start(
      { prepared, redact: (text) => text, maxFrameBytes: 1024 * 1024 },
      {
        instanceFolder: folder,
        watcher,
        isolation: null,
        stopGraceMs: 100,
        stdinStallMs: 300,
        log,
      },
    );
    const { transport } = server;
    let asked = 0;
    let mostBytes = 0;
    transport.onmessage = (message) => {
      if (!("method" in message) || !("id" in message)) return;
      asked += 1;
      void transport.send({ jsonrpc: "2.0", id: message.id, result: {} }).catch(() => undefined);
      mostBytes = Math.max(mostBytes, server.queuedBytes);
    };
    await transport.start();
    const params = { name: "pings", arguments: {} };
    await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(await server.ended).toEqual({ kind: "stopped", cause: "stdin-blocked" });
    await server.gone;
    expect(asked).toBeGreaterThan(256);
    expect(mostBytes).toBeLessThan(1024 * 1024);
    await watcher.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("fails its call, and the next call gets a new process", async () => {
    const limits = { call_ms: 60_000, progress_extends_to_ms: 60_000 };
    const error = errorOf(await host.run(callRequest("asks-much", "pings", {}, { limits })));
    expect(error).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details: { reason: "stopped:stdin-blocked" },
    });
    expect(error.message).toContain("was stopped by the host (it does not read its stdin)");
    expect(textOf(await host.run(callRequest("asks-much", "polite", { count: 5000 })))).toBe(
      "done",
    );
  }, 90_000);
});

describe("a line of many messages", () => {
  const batch = (count: number) => callRequest("asks-much", "batch", { count });

  it("is read up to a thousand", async () => {
    expect(textOf(await host.run(batch(1000)))).toBe("done");
  });

  it("fails the calls in flight above that, and the process goes on", async () => {
    const pid = textOf(await host.run(callRequest("asks-much", "pid")));
    expect(errorOf(await host.run(batch(120_000)))).toMatchObject({
      code: "RESPONSE_INVALID",
      executed: "maybe",
      details: { messages: 120_000, limit: 1000 },
    });
    expect(textOf(await host.run(callRequest("asks-much", "pid")))).toBe(pid);
  });
});
