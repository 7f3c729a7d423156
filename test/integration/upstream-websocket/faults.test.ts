import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deafServer } from "../../support/deaf-server.ts";
import { type Answer, type Gangway, startGangway } from "../../support/gangway.ts";
import { promptMs } from "../../support/promptness.ts";
import { startWebSocketFixture, type WebSocketFixture } from "./raw-fixture.ts";

/**
 * What a server over WebSocket can do wrong, through the deployed Worker, line by line. Of the
 * list, endless comments are no matter of it (pings stand in their place), nor is a body: a frame
 * of 1 TiB stands for it. Redirects are never followed. Each call has a connection of its own, so
 * that an answer after a cancellation meets a connection that is closed.
 */

let edge: Gangway;
let server: WebSocketFixture;
beforeAll(async () => {
  [edge, server] = await Promise.all([startGangway({ host: false }), startWebSocketFixture()]);
  // The first request evaluates the MCP client, which is not what is timed here.
  await call(server.at("sound"));
});
afterAll(async () => Promise.all([edge.close(), server.close()]));
afterEach(async () => server.allClosed());

async function call(
  url: string,
  fields: Record<string, unknown> = {},
  options: Record<string, unknown> = {},
): Promise<Answer & { readonly elapsedMs: number }> {
  const config = { name: "fixture", type: "mcp", transport: "websocket", url, ...fields };
  const startedAt = performance.now();
  const body = { config, tool: "known", arguments: { a: [1] }, options };
  const answer = await edge.post("/v1/tools/call", body);
  return { ...answer, elapsedMs: performance.now() - startedAt };
}

async function methodsAt(url: string): Promise<string[]> {
  return (await server.seen(url)).map(({ method }) => method);
}

const lost = { code: "CONNECTION_LOST" };
const invalid = { code: "RESPONSE_INVALID" };

describe("connecting to a server over WebSocket", () => {
  it("costs one upgrade and one frame a message, with the configured headers on the upgrade", async () => {
    const url = server.at("sound");
    const answer = await call(url, { headers: { "x-api-key": "k" } });
    expect(answer.body).toMatchObject({
      success: true,
      content: [{ type: "text", text: '{"a":[1]}' }],
      metadata: { transport: "websocket", era: "legacy", upstream_requests: 1 },
    });
    await server.seeUntil(url, "(close)");
    const seen = await server.seen(url);
    expect(seen.map(({ method }) => method)).toEqual([
      "(upgrade)",
      "initialize",
      "notifications/initialized",
      "tools/call",
      "(close)",
    ]);
    expect(seen[0]?.headers).toMatchObject({ "x-api-key": "k", "sec-websocket-protocol": "mcp" });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen.at(-1)?.params).toBe(1000);
  });

  it("takes a server that leaves the subprotocol out", async () => {
    expect((await call(server.at("no-protocol"))).status).toBe(200);
  });

  it.each([
    ["a connection that is reset", "reset-at-once", lost],
    ["an answer that is no HTTP", "garbage-head", lost],
    ["a web page", "html", invalid],
    ["a JSON body", "json", invalid],
    ["a 202", "status-202", invalid],
    ["a 204", "status-204", invalid],
    ["another subprotocol", "other-protocol", invalid],
    ["a handshake with a wrong key", "wrong-accept", {}],
    ["a redirect (case 52)", "redirect", { code: "UPSTREAM_REDIRECT" }],
    ["a redirect to itself", "moved-to-itself", { code: "UPSTREAM_REDIRECT" }],
    ["a redirect to the path with a slash", "moved-to-slash", { code: "UPSTREAM_REDIRECT" }],
    ["a 400", "status-400", { code: "UPSTREAM_HTTP_ERROR", details: { status: 400 } }],
    ["a 401 (case 51)", "status-401", { code: "UPSTREAM_UNAUTHORIZED" }],
    ["a 404", "status-404", { code: "UPSTREAM_HTTP_ERROR", details: { status: 404 } }],
    ["a 426", "status-426", { code: "UPSTREAM_HTTP_ERROR", details: { status: 426 } }],
    ["a 429", "status-429", { code: "UPSTREAM_RATE_LIMITED", details: { retry_after_s: 7 } }],
    ["a 500", "status-500", { code: "UPSTREAM_HTTP_ERROR", details: { status: 500 } }],
    [
      "a close in the handshake",
      "initialize-closes",
      { ...lost, details: { close_code: 4401, close_reason: "who are you?" } },
    ],
  ])("fails at once at %s", async (_, mode, expected) => {
    const answer = await call(server.at(mode));
    expect(answer).toMatchObject({
      status: 502,
      body: { success: false, error: { ...expected, executed: "no", server: "fixture" } },
    });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
    expect(JSON.stringify(answer.body)).toContain(server.origin);
    expect(JSON.stringify(answer.body)).not.toContain("hidden");
  });

  it.each([
    ["accepts and is silent", "silent"],
    ["does not answer the handshake", "initialize-hangs"],
    ["sends one byte a second", "trickle-open"],
  ])("gives up at the end of `timeout` on a server that %s", async (_, mode) => {
    const answer = await call(server.at(mode), { timeout: 1 });
    expect(answer).toMatchObject({
      status: 504,
      body: { error: { code: "CONNECT_TIMEOUT", executed: "no", retryable: true } },
    });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
  });

  it("gives up at the end of `timeout` on a server that never accepts", async () => {
    await using deaf = await deafServer();
    const answer = await call(deaf.url.replace(/^http/, "ws"), { timeout: 1 });
    expect(answer.body).toMatchObject({ error: { code: "CONNECT_TIMEOUT", executed: "no" } });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
  });

  it("is fine after a 500, which was not repeated", async () => {
    const url = server.at("fails-once");
    expect((await call(url)).body).toMatchObject({ error: { details: { status: 500 } } });
    expect(await methodsAt(url)).toEqual(["(upgrade)"]);
    expect((await call(url)).status).toBe(200);
  });

  it("tells a place where nobody listens", async () => {
    const answer = await call("ws://127.0.0.1:9/");
    expect(answer.body).toMatchObject({ error: { executed: "no", server: "fixture" } });
    expect(JSON.stringify(answer.body)).toContain("ws://127.0.0.1:9");
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });

  it("is not asked for a revision that WebSocket does not have", async () => {
    const answer = await call("ws://127.0.0.1:9/", { protocol: "2026-07-28" });
    expect(answer.body).toMatchObject({ error: { code: "VERSION_UNSUPPORTED", executed: "no" } });
  });
});

describe("a call to a server over WebSocket", () => {
  const maybe = { executed: "maybe", retryable: false };

  it.each([
    [
      "a close with code and reason",
      "closes",
      { ...lost, ...maybe, details: { close_code: 1011, close_reason: "out of memory" } },
    ],
    ["a close without a reason", "closes-plainly", { ...lost, details: { close_code: 1000 } }],
    ["a connection that is cut", "destroys", { ...lost, ...maybe }],
    ["a frame that is cut", "cut?at=30", { ...lost, ...maybe }],
    ["a frame that is no JSON", "garbage", { ...invalid, ...maybe }],
    ["an empty frame", "empty", { ...invalid, ...maybe }],
    ["a frame that is no message", "no-message", { ...invalid, ...maybe }],
    ["a binary frame that is no text", "binary-garbage", { ...invalid, ...maybe }],
    ["a text frame that is no UTF-8", "bad-utf8", { ...invalid, ...maybe }],
    ["a frame of no kind", "bad-opcode", { ...lost, ...maybe }],
    ["a compressed frame that was not agreed on", "compressed", { ...lost, ...maybe }],
    ["a result that is no object", "no-object", { ...invalid, executed: "yes" }],
    ["a foreign id", "foreign-id", { ...invalid, ...maybe }],
    [
      "a frame above the limit",
      "frame-9-mib",
      { code: "RESPONSE_TOO_LARGE", ...maybe, details: { limit_bytes: 8 * 1024 * 1024 } },
    ],
    // Above 32 MiB the runtime gives up before the transport sees the frame.
    ["a frame of 64 MiB", "frame-64-mib", { ...lost, ...maybe }],
    ["a frame of 1 TiB", "frame-1-tib", { ...lost, ...maybe }],
  ])("fails at once at %s (case 36)", async (_, mode, expected) => {
    const url = server.at(mode);
    const answer = await call(url);
    expect(answer).toMatchObject({
      status: 502,
      body: { success: false, error: { ...expected, server: "fixture" } },
    });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
    expect((await methodsAt(url)).filter((method) => method === "tools/call")).toHaveLength(1);
  });

  it.each([
    ["never answers", "hang"],
    ["sends nothing but pings", "endless-pings"],
    ["sends one byte a second", "trickle-in-call"],
  ])("ends at its deadline, and at the server, when it %s (case 38)", async (_, mode) => {
    const url = server.at(mode);
    const answer = await call(url, {}, { timeout_s: 1 });
    expect(answer).toMatchObject({
      status: 504,
      body: { error: { code: "REQUEST_TIMEOUT", executed: "maybe", retryable: false } },
    });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
    await server.seeUntil(url, "notifications/cancelled");
  });

  it.each(["hang", "endless-pings"])(
    "gives up on a connection without a message for `sse_read_timeout` (%s)",
    async (mode) => {
      const answer = await call(server.at(mode), { sse_read_timeout: 1 });
      expect(answer.body).toMatchObject({ error: { code: "CONNECTION_LOST", executed: "maybe" } });
      expect(JSON.stringify(answer.body)).toContain("nothing for 1000 ms");
      expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
    },
  );

  it.each([
    ["the first of two answers", "twice", "first"],
    ["an answer whose id was turned into text", "text-id", "kept"],
    ["an answer in a batch", "batch", "in a batch"],
    ["an answer in a binary frame", "binary", "as bytes: ü"],
    ["an answer in fragments", "fragments", "in pieces"],
  ])("takes %s", async (_, mode, text) => {
    const answer = await call(server.at(mode));
    expect(answer.body).toMatchObject({ success: true, content: [{ type: "text", text }] });
  });

  it("takes an answer just below the limit", async () => {
    const answer = await call(server.at("frame-7-mib"), {}, { max_result_bytes: 8 * 1024 * 1024 });
    expect(answer.body).toMatchObject({ success: true, metadata: { truncated: [] } });
  });

  it("is answered or fails wherever the frame is cut, and never gets a wrong answer (case 36)", async () => {
    const answers: Answer[] = [];
    for (let from = 0; from < 120; from += 20) {
      const cuts = Array.from({ length: 20 }, (_, index) => from + index);
      answers.push(...(await Promise.all(cuts.map((at) => call(server.at(`cut?at=${at}`))))));
    }
    for (const { body } of answers) {
      if (body["success"] === true) {
        expect(body).toMatchObject({ content: [{ text: "never complete" }] });
      } else expect(body).toMatchObject({ error: { code: "CONNECTION_LOST", executed: "maybe" } });
    }
    expect(answers.some(({ body }) => body["success"] === false)).toBe(true);
    expect(answers.some(({ body }) => body["success"] === true)).toBe(true);
  });

  it("is answered in spite of a hostile pattern in the tool's schema", async () => {
    const url = server.at("hostile-schema");
    const config = { name: "fixture", type: "mcp", transport: "websocket", url };
    expect((await edge.post("/v1/tools/list", { config })).status).toBe(200);
    const answer = await call(url);
    expect(answer.body).toMatchObject({ success: true, content: [{ text: "kept" }] });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });

  it("does not wait for a server that ignores its farewell", async () => {
    const answer = await call(server.at("ignores-close"));
    expect(answer.status).toBe(200);
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });
});
