import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deafServer } from "../../support/deaf-server.ts";
import { type Answer, type Gangway, startGangway } from "../../support/gangway.ts";
import { promptMs } from "../../support/promptness.ts";
import { countOf, type RawFixture, startRawFixture } from "./raw-fixture.ts";

/**
 * What a server over streamable HTTP can do wrong, through the deployed Worker, line by line. Two
 * faults of the list are no matter of it: a WebSocket frame of 64 MiB, and an answer on the stream
 * of another request (`crosstalk.test.ts` swaps whole answers instead).
 */

let edge: Gangway;
let server: RawFixture;
beforeAll(async () => {
  [edge, server] = await Promise.all([startGangway({ host: false }), startRawFixture()]);
  // The first request evaluates the MCP client, which is not what is timed here.
  await call(server.at("modern", "sound"));
});
afterAll(async () => Promise.all([edge.close(), server.close()]));
// Nothing stays open at the server, whatever it did.
afterEach(async () => server.allClosed());

async function call(
  url: string,
  fields: Record<string, unknown> = {},
  options: Record<string, unknown> = {},
): Promise<Answer & { readonly elapsedMs: number }> {
  const config = { name: "fixture", type: "mcp", transport: "http", url, ...fields };
  const body = { config, tool: "known", arguments: { a: [1] }, options };
  const startedAt = performance.now();
  const answer = await edge.post("/v1/tools/call", body);
  return { ...answer, elapsedMs: performance.now() - startedAt };
}

const maybe = { executed: "maybe", retryable: false };
const lost = { code: "CONNECTION_LOST", ...maybe };
const invalid = { code: "RESPONSE_INVALID", ...maybe };
const tooLarge = { code: "RESPONSE_TOO_LARGE", ...maybe };
const timedOut = { code: "REQUEST_TIMEOUT", ...maybe };
const httpError = (status: number, executed: string) => ({
  code: "UPSTREAM_HTTP_ERROR",
  executed,
  details: { status },
});

describe.each(["legacy", "modern"] as const)("connecting to a server of the %s era", (era) => {
  it.each([
    ["accepts and is silent", "silent-always"],
    ["sends its headers and is silent", "silent-body-always"],
    ["sends one byte a second", "trickle-always"],
  ])("gives up at the end of `timeout` on a server that %s", async (_, mode) => {
    const url = server.at(era, mode);
    const answer = await call(url, { timeout: 1 });
    expect(answer).toMatchObject({
      status: 504,
      body: { error: { code: "CONNECT_TIMEOUT", executed: "no", retryable: true } },
    });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
    expect(countOf(await server.seen(url), "tools/call")).toBe(0);
  });
});

it("gives up at the end of `timeout` on a server that never accepts", async () => {
  await using deaf = await deafServer();
  const answer = await call(`${deaf.url}/mcp`, { timeout: 1 });
  expect(answer.body).toMatchObject({ error: { code: "CONNECT_TIMEOUT", executed: "no" } });
  expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
});

describe.each(["legacy", "modern"] as const)("a call to a server of the %s era", (era) => {
  it.each([
    ["a stream that ends", "end-early", lost],
    ["a stream that is reset", "reset", lost],
    ["a body that is cut", "cut-json", lost],
    ["an event that is no JSON", "garbage", invalid],
    ["a stream that is no event stream", "noise", invalid],
    ["a body that is no JSON", "garbage-json", invalid],
    ["a body that is no message", "no-message", invalid],
    ["a foreign id", "foreign-id", invalid],
    ["a foreign id on a stream", "foreign-id-stream", invalid],
    ["a body of 1 GiB", "endless-body", tooLarge],
    ["a gzip bomb", "gzip-bomb", tooLarge],
    ["endless comments", "endless-comments", tooLarge],
    ["the wrong content type", "plain-text", invalid],
    ["a web page with 200", "html", invalid],
    ["a 202", "accepted", invalid],
    ["a 204", "empty", invalid],
    ["a 307 to itself", "moved-to-itself", { code: "UPSTREAM_REDIRECT", executed: "no" }],
    ["a 307 in a circle", "moved-in-a-circle", { code: "UPSTREAM_REDIRECT", executed: "no" }],
    ["a 307 elsewhere", "status?code=307", { code: "UPSTREAM_REDIRECT", executed: "no" }],
    [
      "a 401 with a challenge",
      "status?code=401",
      { code: "UPSTREAM_UNAUTHORIZED", executed: "no" },
    ],
    ["a 400", "status?code=400", httpError(400, "maybe")],
    ["a 404 for every session", "forgets-every-session", httpError(404, "no")],
    [
      "a 429 with retry-after",
      "status?code=429",
      { code: "UPSTREAM_RATE_LIMITED", executed: "no", details: { retry_after_s: 7 } },
    ],
    ["a 500", "status?code=500", httpError(500, "maybe")],
  ])("fails at once at %s", async (_, mode, expected) => {
    const url = server.at(era, mode);
    const answer = await call(url);
    expect(answer.body).toMatchObject({
      success: false,
      error: { ...expected, server: "fixture" },
    });
    expect(answer.status).toBe(502);
    expect(answer.elapsedMs).toBeLessThan(promptMs);
    const text = JSON.stringify(answer.body);
    expect(text).toContain(server.url);
    expect(text).not.toContain("token=");
    expect(text).not.toContain("canary");
    // A session that is gone is replaced once: its server has read nothing.
    const most = mode === "forgets-every-session" && era === "legacy" ? 2 : 1;
    expect(countOf(await server.seen(url), "tools/call")).toBeLessThanOrEqual(most);
  });

  it.each([
    ["does not answer", "hang"],
    ["sends its headers and is silent", "silent-body"],
    ["opens a stream and is silent", "silent-stream"],
    ["sends one byte a second", "trickle"],
  ])("ends at its deadline, and at the server, when it %s", async (_, mode) => {
    const url = server.at(era, mode);
    const answer = await call(url, {}, { timeout_s: 1 });
    expect(answer).toMatchObject({ status: 504, body: { error: timedOut } });
    expect(answer.elapsedMs).toBeLessThan(1_000 + promptMs);
    const seen = await server.seeUntil(
      url,
      (all) =>
        countOf(all, "notifications/cancelled") === 1 || all.some(({ closedEarly }) => closedEarly),
    );
    expect(countOf(seen, "tools/call")).toBe(1);
  });

  it.each([
    ["the first of two answers on a stream", "twice", "first"],
    ["the first of two answers in a batch", "twice-in-batch", "first"],
    ["an answer whose id was turned into text", "text-id", "kept"],
    ["an answer after a 307 to the path with a slash", "moved-to-slash", "moved"],
  ])("takes %s", async (_, mode, text) => {
    const answer = await call(server.at(era, mode));
    expect(answer.body).toMatchObject({ success: true, content: [{ type: "text", text }] });
  });

  it("counts a redirect that is followed as one more request", async () => {
    const [straight, moved] = [server.at(era, "sound"), server.at(era, "moved-to-slash")];
    const requests = async (url: string) => {
      const { body } = await call(url);
      return (body["metadata"] as { upstream_requests: number }).upstream_requests;
    };
    expect(await requests(moved)).toBe((await requests(straight)) + 1);
  });

  it("gives the answer to a call that was given up to nobody", async () => {
    const url = server.at(era, "late");
    const first = await call(url, {}, { timeout_s: 1 });
    expect(first.body).toMatchObject({ error: timedOut });
    const second = await call(url);
    expect(second.body).toMatchObject({ success: true, content: [{ text: "in time" }] });
    expect(countOf(await server.seen(url), "tools/call")).toBe(2);
  });

  it("is not repeated after a 500, and the next one is fine", async () => {
    const url = server.at(era, "fails-once");
    expect((await call(url)).body).toMatchObject({ error: httpError(500, "maybe") });
    expect(countOf(await server.seen(url), "tools/call")).toBe(1);
    expect((await call(url)).body).toMatchObject({ content: [{ text: "well again" }] });
  });

  it("is answered in spite of a hostile pattern in the tool's schema", async () => {
    const url = server.at(era, "schema-breach");
    const config = { name: "fixture", type: "mcp", transport: "http", url };
    const list = await edge.post("/v1/tools/list", { config });
    expect(list.status).toBe(200);
    const answer = await call(url);
    expect(answer.body).toMatchObject({ success: true, content: [{ text: "kept" }] });
    expect(answer.elapsedMs).toBeLessThan(promptMs);
  });
});

it("replaces a session that its server has forgotten, once", async () => {
  const url = server.at("legacy", "forgets-first-session");
  const answer = await call(url);
  expect(answer.body).toMatchObject({ success: true, content: [{ text: "remembered" }] });
  expect(countOf(await server.seen(url), "initialize")).toBe(2);
});
