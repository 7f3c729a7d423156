import { describe, expect, it } from "vitest";
import { joinMetadata, ServerEvents } from "../../../../functions/edge/operation/server-events.ts";
import type { ServerEvent } from "../../../../shared/api/stream-events.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { LogLevel } from "../../../../shared/mcp/log-levels.ts";
import { createRedactor } from "../../../../shared/secrets/redact.ts";

const secret = "hunter2-hunter2";

function events(
  options: { logLevel?: LogLevel | null; stream?: boolean; room?: () => boolean } = {},
) {
  const { logLevel = "debug", stream = true, room = () => true } = options;
  const told: ServerEvent[] = [];
  const changed: string[] = [];
  const clock = { now: 0 };
  const tell = (event: ServerEvent): boolean => {
    if (!room()) return false;
    told.push(event);
    return true;
  };
  const server = new ServerEvents({
    server: "s",
    redactor: createRedactor(new Map([["TOKEN", secret]])),
    onListChanged: (list) => changed.push(list),
    context: { clock: () => clock.now, logLevel, tell: stream ? tell : null },
  });
  const log = (level: string, data: unknown = "hello", logger?: string) =>
    server.notification({
      method: "notifications/message",
      params: { level, data, ...(logger === undefined ? {} : { logger }) },
    });
  return { server, told, changed, clock, log };
}

describe("what a server tells", () => {
  it("is masked in every event", () => {
    const { server, told, log } = events();
    log("info", { deep: [secret] }, secret);
    server.progress(null)({ progress: 1, message: `at ${secret}` });
    server.exception(new GatewayError("RESPONSE_INVALID", `sent ${secret}`));
    server.notification({ method: "x/y", params: { [secret]: secret } });
    expect(told.map(({ event }) => event)).toEqual([
      "log",
      "progress",
      "server_exception",
      "notification",
    ]);
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it("is left out where a secret stands in the place of a number", () => {
    const told: ServerEvent[] = [];
    const server = new ServerEvents({
      server: "s",
      redactor: createRedactor(new Map([["PIN", "98765432"]])),
      onListChanged: () => undefined,
      context: { clock: () => 0, logLevel: null, tell: (event) => told.push(event) > 0 },
    });
    const listen = server.progress(null);
    listen({ progress: 1 });
    listen({ progress: 98_765_432 });
    listen({ progress: 2, total: 98_765_432 });
    expect(told.map(({ data }) => data)).toEqual([{ server: "s", progress: 1 }]);
    expect(server.dropped).toEqual({ progress: 2 });
  });

  it("leaves out log records below the level, and those without a level of MCP", () => {
    const { told, log } = events({ logLevel: "error" });
    for (const level of ["debug", "warning", "loud", "error", "emergency"]) log(level);
    expect(told.map(({ data }) => ("mcp_level" in data ? data.mcp_level : null))).toEqual([
      "error",
      "emergency",
    ]);
  });

  it("describes a value that is too large or too deep", () => {
    const { told, log } = events();
    log("info", "x".repeat(100_000));
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    log("info", deep);
    expect(told.map(({ data }) => ("data" in data ? data.data : null))).toEqual([
      "[left out: 100002 characters]",
      "[left out: nested too deep]",
    ]);
  });

  it("of a changed list is handed on even where nobody listens", () => {
    const { server, told, changed } = events({ stream: false });
    server.notification({ method: "notifications/resources/list_changed", params: {} });
    expect([changed, told]).toEqual([["resources"], []]);
  });

  it("is counted where it does not pass: by its rate, or for want of room", () => {
    let room = true;
    const { server, told, log, clock } = events({ room: () => room });
    for (let record = 0; record < 60; record += 1) log("info");
    expect([told.length, server.dropped]).toEqual([50, { log: 10 }]);
    clock.now = 1_000;
    room = false;
    log("info");
    expect(server.dropped).toEqual({ log: 11 });
    server.countDropped("progress", 3);
    expect(server.metadata()).toEqual({ dropped: { log: 11, progress: 3 } });
  });

  it("has a rate of its own for the progress of each call", () => {
    const { server, told } = events();
    const [first, second] = [server.progress(0), server.progress(1)];
    for (let progress = 0; progress < 20; progress += 1) {
      first({ progress });
      second({ progress });
    }
    const calls = told.map(({ data }) => ("call" in data ? data.call : null));
    expect([0, 1].map((call) => calls.filter((each) => each === call).length)).toEqual([10, 10]);
    expect(server.dropped).toEqual({ progress: 20 });
  });

  it("stands in the metadata of an answer that is no stream, up to 100 records", () => {
    const { server, log, clock } = events({ stream: false });
    for (let record = 0; record < 150; record += 1) {
      clock.now += 100;
      log("notice", record);
    }
    const { logs = [], dropped } = server.metadata();
    expect(logs).toHaveLength(100);
    expect(logs[0]).toEqual({ server: "s", level: "info", mcp_level: "notice", data: 0 });
    expect(dropped).toEqual({ log: 50 });
  });

  it("of several servers is joined", () => {
    const [a, b] = [events({ stream: false }), events({ stream: false })];
    a.log("info");
    b.log("info");
    a.server.countDropped("log", 1);
    b.server.countDropped("log", 2);
    expect(joinMetadata([a.server, b.server])).toMatchObject({
      logs: [{}, {}],
      dropped: { log: 3 },
    });
    expect(joinMetadata([])).toEqual({});
  });
});
