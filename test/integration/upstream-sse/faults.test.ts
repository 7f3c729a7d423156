import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Gangway, startGangway } from "../../support/gangway.ts";
import { deafServer } from "../../support/deaf-server.ts";
import { promptMs } from "../../support/promptness.ts";
import { countOf, type SseFixture, startSseFixture } from "./raw-fixture.ts";

/**
 * What a server over SSE can do wrong, through the deployed Worker, line by line. Of the list, two
 * faults are no matter of it: a WebSocket frame of 64 MiB, and a 202 to a request, which is how a
 * POST is answered here. An answer after a cancellation is a test of `session.test.ts`, since it
 * needs a stream that two calls share.
 */

let edge: Gangway;
let server: SseFixture;
beforeAll(async () => {
  [edge, server] = await Promise.all([startGangway({ host: false }), startSseFixture()]);
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
  const config = { name: "fixture", type: "mcp", transport: "sse", url, ...fields };
  const body = { config, tool: "known", arguments: { a: [1] }, options };
  const startedAt = performance.now();
  const answer = await edge.post("/v1/tools/call", body);
  return { ...answer, elapsedMs: performance.now() - startedAt };
}

const lost = { code: "CONNECTION_LOST" };
const invalid = { code: "RESPONSE_INVALID" };
const refused = { code: "URL_NOT_ALLOWED", details: { reason: "sse-endpoint-origin" } };
const tooLarge = { code: "RESPONSE_TOO_LARGE" };

describe("connecting to a server over SSE", () => {
  it.each([
    ["a stream that ends before its endpoint", "end-at-once", lost],
    ["a connection that is reset", "reset-at-once", lost],
    ["an endpoint of another host (case 53)", "endpoint-elsewhere", refused],
    ["an endpoint of another port (case 53)", "endpoint-other-port", refused],
    ["an endpoint of another scheme (case 53)", "endpoint-scheme", refused],
    ["an endpoint that is no URL (case 53)", "endpoint-no-url", invalid],
    ["endless comments", "comments-open", tooLarge],
    ["an endless line", "line-open", tooLarge],
    ["a gzip bomb", "gzip-bomb", tooLarge],
    ["a stream that is no event stream", "noise", invalid],
    ["a web page", "html", invalid],
    ["a JSON body", "json", invalid],
    ["a 202", "accepted", invalid],
    ["a 204", "no-content", invalid],
    ["a 307 to itself", "moved-to-itself", { code: "UPSTREAM_REDIRECT" }],
    ["a redirect", "status?code=307", { code: "UPSTREAM_REDIRECT" }],
    ["a 401 (case 51)", "status?code=401", { code: "UPSTREAM_UNAUTHORIZED" }],
    ["a 403 (case 51)", "status?code=403", { code: "UPSTREAM_UNAUTHORIZED" }],
    ["a 404", "status?code=404", { code: "UPSTREAM_HTTP_ERROR", details: { status: 404 } }],
    ["a 429", "status?code=429", { code: "UPSTREAM_RATE_LIMITED", details: { retry_after_s: 7 } }],
    ["a 500", "status?code=500", { code: "UPSTREAM_HTTP_ERROR", details: { status: 500 } }],
    ["a stream that ends in the handshake", "initialize-ends", lost],
  ])("fails at once at %s", async (_, mode, expected) => {
    const answer = await call(server.at(mode));
    expect(answer.body).toMatchObject({
      success: false,
      error: { ...expected, executed: "no", server: "fixture" },
    });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
    expect(JSON.stringify(answer.body)).toContain(server.url);
    expect(JSON.stringify(answer.body)).not.toContain("hidden");
  });

  it.each([
    ["accepts and is silent", "silent"],
    ["names no endpoint", "no-endpoint"],
    ["sends one byte a second", "trickle-open"],
    ["does not answer the handshake", "initialize-hangs"],
  ])("gives up at the end of `timeout` on a server that %s", async (_, mode) => {
    const answer = await call(server.at(mode), { timeout: 1 });
    expect(answer).toMatchObject({
      status: 504,
      body: { error: { code: "CONNECT_TIMEOUT", executed: "no", retryable: true } },
    });
    expect(answer.elapsedMs).toBeGreaterThan(950);
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
  });

  it("gives up at the end of `timeout` on a server that never accepts", async () => {
    await using deaf = await deafServer();
    const answer = await call(`${deaf.url}/sse`, { timeout: 1 });
    expect(answer.body).toMatchObject({ error: { code: "CONNECT_TIMEOUT", executed: "no" } });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
  });

  it("tells a place where nobody listens", async () => {
    const answer = await call("http://127.0.0.1:9/sse");
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({ error: { executed: "no", server: "fixture" } });
    expect(JSON.stringify(answer.body)).toContain("http://127.0.0.1:9");
  });

  it("sends no credentials anywhere when the endpoint is elsewhere (case 52)", async () => {
    const url = server.at("endpoint-other-port");
    await call(url, { headers: { "x-api-key": "k" } });
    expect((await server.seen(url)).map(({ verb }) => verb)).toEqual(["GET"]);
  });
});

describe("a call to a server over SSE", () => {
  const maybe = { executed: "maybe", retryable: false };

  it.each([
    ["a stream that ends", "stream-ends", { ...lost, ...maybe }],
    ["a stream that is reset", "reset", { ...lost, ...maybe }],
    ["a stream that is cut in the answer", "cut?at=40", { ...lost, ...maybe }],
    ["an event that is no JSON", "garbage", { ...invalid, ...maybe }],
    ["a line that is no event", "noise-in-call", { ...invalid, ...maybe }],
    ["an event that is no message", "no-message", { ...invalid, ...maybe }],
    ["a result that is no object", "no-object", { ...invalid, executed: "yes" }],
    ["a foreign id", "foreign-id", { ...invalid, ...maybe }],
    ["an error without an id", "no-id", { code: "SERVER_ERROR" }],
    ["endless comments", "comments-in-call", { ...tooLarge, ...maybe }],
    ["an endless line", "line-in-call", { ...tooLarge, ...maybe }],
    ["an answer above the limit", "huge", { ...tooLarge, ...maybe }],
    ["a POST that is reset", "post-reset", { ...lost, ...maybe }],
    [
      "a POST answered with 307",
      "post-status?code=307",
      { code: "UPSTREAM_REDIRECT", executed: "no" },
    ],
    [
      "a POST answered with 307 to itself",
      "post-moved-to-itself",
      { code: "UPSTREAM_REDIRECT", executed: "no" },
    ],
    ["a POST answered with 400", "post-status?code=400", { code: "UPSTREAM_HTTP_ERROR", ...maybe }],
    [
      "a POST answered with 401 (case 51)",
      "post-status?code=401",
      { code: "UPSTREAM_UNAUTHORIZED", executed: "no" },
    ],
    [
      "a POST answered with 404",
      "post-status?code=404",
      { code: "UPSTREAM_HTTP_ERROR", executed: "no" },
    ],
    [
      "a POST answered with 429",
      "post-status?code=429",
      { code: "UPSTREAM_RATE_LIMITED", executed: "no" },
    ],
    ["a POST answered with 500", "post-status?code=500", { code: "UPSTREAM_HTTP_ERROR", ...maybe }],
  ])("fails at once at %s (cases 36, 51)", async (_, mode, expected) => {
    const url = server.at(mode);
    const answer = await call(url);
    expect(answer.body).toMatchObject({
      success: false,
      error: { ...expected, server: "fixture" },
    });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
    expect(answer.status).toBe(502);
    expect(JSON.stringify(answer.body)).not.toContain("hidden");
    expect(countOf(await server.seen(url), "tools/call")).toBe(1);
  });

  it("ends a flood of events", async () => {
    const answer = await call(server.at("events-in-call"));
    expect(answer.body).toMatchObject({ error: { ...tooLarge, ...maybe } });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });

  it.each([
    ["never answers", "hang"],
    ["does not even answer the POST", "post-hangs"],
    ["sends one byte a second", "trickle-in-call"],
  ])("ends at its deadline, and at the server, when it %s (case 38)", async (_, mode) => {
    const url = server.at(mode);
    const answer = await call(url, {}, { timeout_s: 1 });
    expect(answer).toMatchObject({
      status: 504,
      body: { error: { code: "REQUEST_TIMEOUT", executed: "maybe", retryable: false } },
    });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
    const seen = await server.seeUntil(url, (all) => countOf(all, "notifications/cancelled") === 1);
    expect(countOf(seen, "tools/call")).toBe(1);
  });

  it("gives up on a stream that is silent for `sse_read_timeout`", async () => {
    const answer = await call(server.at("hang"), { sse_read_timeout: 1 });
    expect(answer.body).toMatchObject({ error: { code: "CONNECTION_LOST", executed: "maybe" } });
    expect(JSON.stringify(answer.body)).toContain("nothing for 1000 ms");
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
  });

  it.each([
    ["the first of two answers", "twice", "first"],
    ["an answer whose id was turned into text", "text-id", "kept"],
    ["an answer in a batch", "batch", "in a batch"],
    ["an answer among events of other kinds", "other-events", "kept"],
    ["an answer whose POST is still open", "post-hangs-answered", "answered"],
    ["an answer whose POST was answered with 204", "post-no-content", "answered"],
    ["an answer whose POST was moved", "post-moved", "answered"],
    [
      "an answer on a stream that was moved to the path with a slash",
      "moved-to-slash",
      '{"a":[1]}',
    ],
    ["an answer that came before its POST failed", "answered-before-error", "answered"],
  ])("takes %s", async (_, mode, text) => {
    const answer = await call(server.at(mode));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, content: [{ type: "text", text }] });
  });

  it("is answered or fails wherever the stream is cut, and never gets a wrong answer (case 36)", async () => {
    const answers: Answer[] = [];
    // Twenty at a time: each has a stream and a POST.
    for (let from = 0; from < 140; from += 20) {
      const cuts = Array.from({ length: 20 }, (_, index) => from + index);
      answers.push(...(await Promise.all(cuts.map((at) => call(server.at(`cut?at=${at}`))))));
    }
    for (const { body } of answers) {
      if (body["success"] === true)
        expect(body).toMatchObject({ content: [{ text: "never complete" }] });
      else expect(body).toMatchObject({ error: { code: "CONNECTION_LOST", executed: "maybe" } });
    }
    expect(answers.some(({ body }) => body["success"] === false)).toBe(true);
    expect(answers.some(({ body }) => body["success"] === true)).toBe(true);
  });

  it("counts redirects that are followed as further requests", async () => {
    const requests = async (mode: string) => {
      const { body } = await call(server.at(mode));
      return (body["metadata"] as { upstream_requests: number }).upstream_requests;
    };
    const straight = await requests("sound");
    expect(await requests("moved-to-slash")).toBe(straight + 1);
    expect(await requests("post-moved")).toBe(straight + 1);
  });

  it("is fine after a 500, which was not repeated", async () => {
    const url = server.at("fails-once");
    expect((await call(url)).body).toMatchObject({ error: { details: { status: 500 } } });
    expect(await server.seen(url)).toHaveLength(1);
    expect((await call(url)).status).toBe(200);
  });

  it("is answered in spite of a hostile pattern in the tool's schema", async () => {
    const url = server.at("hostile-schema");
    const config = { name: "fixture", type: "mcp", transport: "sse", url };
    expect((await edge.post("/v1/tools/list", { config })).status).toBe(200);
    const answer = await call(url);
    expect(answer.body).toMatchObject({ success: true, content: [{ text: "kept" }] });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });
});
