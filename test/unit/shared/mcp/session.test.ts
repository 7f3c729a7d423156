import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { McpSession } from "../../../../shared/mcp/session.ts";
import type { SessionOptions, SessionState } from "../../../../shared/mcp/session-types.ts";
import { type Script, ScriptedTransport, type Sent } from "./scripted-transport.ts";

const limits = { timeoutMs: 2_000 };
const text = (value: string) => ({ result: { content: [{ type: "text", text: value }] } });
const echo: Script = ({ method, params }) =>
  method === "tools/call" ? text(JSON.stringify(params?.["arguments"])) : undefined;

interface Opened {
  readonly session: McpSession;
  readonly transport: ScriptedTransport;
  readonly exceptions: Error[];
  opened: number;
}

function open(script: Script = echo, options: Partial<SessionOptions> = {}): Opened {
  const transport = new ScriptedTransport(script);
  const exceptions: Error[] = [];
  const state = { transport, exceptions, opened: 0 };
  const session = new McpSession({
    name: "scripted",
    target: "npx scripted",
    protocol: "legacy",
    connectTimeoutMs: 1_000,
    openTransport: () => {
      state.opened += 1;
      return transport;
    },
    onException: (error) => exceptions.push(error),
    ...options,
  });
  return Object.assign(state, { session });
}

async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const outcome: unknown = await promise.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(GatewayError);
  return outcome as GatewayError;
}

/** A script that leaves the handshake unanswered until `answer` is called. */
function slowHandshake(): { script: Script; answer: (transport: ScriptedTransport) => void } {
  let asked: Sent | null = null;
  const result = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    serverInfo: { name: "s", version: "1" },
  };
  return {
    script: (request) => {
      if (request.method !== "initialize") return echo(request);
      asked = request;
      // Not answered yet: an empty message is no answer to anything.
      return { method: "notifications/message", id: undefined, params: {} };
    },
    answer: (transport) => transport.receive({ jsonrpc: "2.0", id: asked?.id, result }),
  };
}

/** Brings a session into a state by real events. */
const arrive: Record<SessionState, () => Promise<Opened & { connecting?: Promise<unknown> }>> = {
  CREATED: async () => open(),
  CONNECTING: async () => {
    const slow = slowHandshake();
    const opened = open(slow.script);
    const connecting = opened.session.connect().catch((error: unknown) => error);
    await expect.poll(() => opened.transport.count("initialize")).toBe(1);
    return { ...opened, connecting };
  },
  CONNECTED: async () => {
    const opened = open();
    await opened.session.connect();
    return opened;
  },
  DISCONNECTED: async () => {
    const opened = open();
    await opened.session.disconnect();
    return opened;
  },
  ERROR: async () => {
    const opened = open();
    await opened.session.connect();
    opened.transport.end();
    return opened;
  },
};
const states = Object.keys(arrive) as SessionState[];

describe("a session", () => {
  it.each(states)("can be brought into the state %s", async (state) => {
    expect((await arrive[state]()).session.state).toBe(state);
  });

  it("connects at the first call, once for all callers", async () => {
    const opened = open();
    const calls = [1, 2, 3].map((n) => opened.session.callTool("known", { n }, limits));
    expect(opened.session.state).toBe("CONNECTING");
    const texts = (await Promise.all(calls)).map(({ result }) => JSON.stringify(result["content"]));
    expect(texts).toEqual([1, 2, 3].map((n) => JSON.stringify(text(`{"n":${n}}`).result.content)));
    expect(opened.opened).toBe(1);
    expect(opened.transport.count("initialize")).toBe(1);
    expect(opened.transport.count("notifications/initialized")).toBe(1);
    expect(opened.session.state).toBe("CONNECTED");
  });

  it("has a call made while it connects wait", async () => {
    const slow = slowHandshake();
    const opened = open(slow.script);
    const connecting = opened.session.connect();
    const call = opened.session.callTool("known", { n: 1 }, limits);
    await expect.poll(() => opened.transport.count("initialize")).toBe(1);
    expect(opened.transport.count("tools/call")).toBe(0);
    slow.answer(opened.transport);
    expect((await connecting).protocolVersion).toBe("2025-11-25");
    expect((await call).result).toMatchObject({ content: [{ text: '{"n":1}' }] });
  });

  it.each(["DISCONNECTED", "ERROR"] as const)("refuses every operation in %s", async (state) => {
    const { session, transport } = await arrive[state]();
    const sent = transport.sent.length;
    for (const operation of [
      session.connect(),
      session.callTool("known", {}, limits),
      session.listTools(limits),
      session.listPrompts(limits),
      session.getPrompt("p", {}, limits),
    ]) {
      const failure = await failureOf(operation);
      expect(failure).toMatchObject({ code: "SESSION_CLOSED", executed: "no", server: "scripted" });
    }
    expect(transport.sent).toHaveLength(sent);
    expect(session.state).toBe(state);
  });

  it.each(states)("can be ended in %s, twice, and stays ended", async (state) => {
    const { session, transport, connecting } = await arrive[state]();
    await session.disconnect();
    await session.disconnect();
    await connecting;
    transport.end();
    expect(session.state).toBe(state === "ERROR" ? "ERROR" : "DISCONNECTED");
  });

  it("ends as a disposable resource", async () => {
    const { session, transport } = open();
    {
      await using used = session;
      await used.connect();
    }
    expect(session.state).toBe("DISCONNECTED");
    expect(transport.closed).toBe(true);
  });

  it("fails the calls in flight with the reason that the transport gives for its end (case 15)", async () => {
    const { session, transport } = open(() => undefined);
    const call = session.callTool("known", {}, limits);
    await expect.poll(() => transport.count("tools/call")).toBe(1);
    const details = { exit_code: 137 };
    transport.end(
      new GatewayError("PROCESS_EXITED", "npx scripted ended.", { executed: "maybe", details }),
    );
    expect(await failureOf(call)).toMatchObject({
      code: "PROCESS_EXITED",
      executed: "maybe",
      details,
    });
    expect(session.state).toBe("ERROR");
    expect(await failureOf(session.connect())).toMatchObject({
      code: "SESSION_CLOSED",
      details: { reason: "PROCESS_EXITED" },
    });
  });

  it("fails one call alone when the transport says so", async () => {
    const { session, transport } = open(({ method, params }) =>
      JSON.stringify(params).includes("lost")
        ? undefined
        : echo({ method: method ?? "", params: params ?? {} }),
    );
    await session.connect();
    const lost = session.callTool("known", { lost: true }, limits);
    await expect.poll(() => transport.count("tools/call")).toBe(1);
    transport.failLatest(
      "tools/call",
      new GatewayError("RESPONSE_TOO_LARGE", "too large", { executed: "maybe" }),
    );
    expect(await failureOf(lost)).toMatchObject({ code: "RESPONSE_TOO_LARGE", server: "scripted" });
    expect(await session.callTool("known", {}, limits)).toBeDefined();
  });

  it("fails with the transport's own error when it cannot be opened", async () => {
    const error = new GatewayError("PROCESS_START_FAILED", "no such command");
    const { session } = open(echo, { openTransport: async () => Promise.reject(error) });
    expect(await failureOf(session.callTool("known", {}, limits))).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      server: "scripted",
    });
    expect(session.state).toBe("ERROR");
  });

  it("does not wait for a handshake longer than it may, and closes the transport", async () => {
    const slow = slowHandshake();
    const { session, transport } = open(slow.script, { connectTimeoutMs: 100 });
    expect(await failureOf(session.connect())).toMatchObject({
      code: "CONNECT_TIMEOUT",
      executed: "no",
    });
    await expect.poll(() => transport.closed).toBe(true);
  });

  it("lets a caller give up waiting without failing the others", async () => {
    const slow = slowHandshake();
    const { session, transport } = open(slow.script);
    const abort = new AbortController();
    const given = failureOf(session.callTool("known", {}, { ...limits, signal: abort.signal }));
    const kept = session.callTool("known", {}, limits);
    await expect.poll(() => transport.count("initialize")).toBe(1);
    abort.abort();
    expect(await given).toMatchObject({ code: "CANCELLED", executed: "no" });
    slow.answer(transport);
    expect(await kept).toBeDefined();
    expect(transport.count("tools/call")).toBe(1);
  });

  it("tells of messages that belong to no operation, and goes on", async () => {
    const { session, transport, exceptions } = open();
    await session.connect();
    for (const noise of [7, null, [], {}, { jsonrpc: "2.0", id: 99, result: {} }])
      transport.receive(noise);
    expect(exceptions).toHaveLength(5);
    expect(await session.callTool("known", {}, limits)).toBeDefined();
  });

  it("hands notifications on, slips in their envelope repaired", async () => {
    const seen: unknown[] = [];
    const { session, transport } = open(echo, { onNotification: (note) => seen.push(note) });
    await session.connect();
    const params = { level: "info", data: "x" };
    transport.receive({
      jsonrpc: "2.0",
      id: null,
      method: "notifications/message",
      params,
      extra: 1,
    });
    await expect.poll(() => seen).toEqual([{ method: "notifications/message", params }]);
  });

  it("refuses the server's own requests by the protocol's error", async () => {
    const { session, transport } = open();
    await session.connect();
    transport.receive({ jsonrpc: "2.0", id: "s1", method: "sampling/createMessage", params: {} });
    await expect
      .poll(() => transport.sent.at(-1))
      .toMatchObject({ id: "s1", error: { code: -32601 } });
  });

  it("answers the server's ping", async () => {
    const { session, transport } = open();
    await session.connect();
    transport.receive({ jsonrpc: "2.0", id: "s2", method: "ping" });
    await expect.poll(() => transport.sent.at(-1)).toMatchObject({ id: "s2", result: {} });
  });

  it("gives an error without an id to the only request in flight", async () => {
    const { session, transport } = open(() => undefined);
    const call = session.callTool("known", {}, limits);
    await expect.poll(() => transport.count("tools/call")).toBe(1);
    transport.receive({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "cannot read that" },
    });
    expect(await failureOf(call)).toMatchObject({ code: "SERVER_ERROR", executed: "no" });
  });

  it.each([{}, { error: null }, { result: null }])(
    "fails a call at once whose answer holds nothing: %j",
    async (nothing) => {
      const { session } = open(({ method }) => (method === "tools/call" ? nothing : undefined));
      const failure = await failureOf(session.callTool("t", {}, { timeoutMs: 60_000 }));
      expect(failure).toMatchObject({ code: "RESPONSE_INVALID", executed: "yes" });
    },
  );

  it("hands the config over as a capability", async () => {
    const { session, transport } = open(echo, { config: { region: "eu" } });
    await session.connect();
    expect(transport.sent[0]?.params).toMatchObject({
      capabilities: { experimental: { "dev.gangway/config": { region: "eu" } } },
      clientInfo: { name: "gangway" },
    });
  });
});
