import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { countOf, type SseFixture, startSseFixture } from "./raw-fixture.ts";
import { sseSession } from "./sse-session.ts";

let server: SseFixture;
beforeAll(async () => {
  server = await startSseFixture();
});
afterAll(async () => server.close());
afterEach(async () => server.allClosed());

const limits = { timeoutMs: 5_000 };

describe("a session over SSE", () => {
  it("costs one stream and one POST a message, with the configured headers on each", async () => {
    const url = server.at("sound");
    const open = sseSession(url, { "x-api-key": "k" });
    await open.session.callTool("known", { n: 1 }, limits);
    await open.session.disconnect();
    const seen = await server.seen(url);
    expect(seen.map(({ verb, method }) => [verb, method])).toEqual([
      ["GET", null],
      ["POST", "initialize"],
      ["POST", "notifications/initialized"],
      ["POST", "tools/call"],
    ]);
    expect(seen.map(({ headers }) => headers["x-api-key"])).toEqual(["k", "k", "k", "k"]);
    expect(seen.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
      undefined,
      undefined,
      "2024-11-05",
      "2024-11-05",
    ]);
    expect(open.transport.upstreamRequests).toBe(4);
  });

  it("posts to the endpoint that the stream names, below the stream's own path (case 53)", async () => {
    const url = server.at("sound?tenant=a%20b");
    await using open = sseSession(url);
    await open.session.connect();
    const folder = new URL(url).pathname.replace(/\/sse$/, "");
    expect((await server.seen(url)).map((request) => request.folder)).toEqual([
      folder,
      folder,
      folder,
    ]);
  });

  it("gives parallel calls their own answers, in whatever order they come", async () => {
    await using open = sseSession(server.at("swapped"));
    await open.session.connect();
    const answers = await Promise.all(
      [1, 2].map((n) => open.session.callTool("known", { n }, limits)),
    );
    expect(answers.map(({ result }) => result["content"])).toEqual([
      [{ type: "text", text: '{"n":1}' }],
      [{ type: "text", text: '{"n":2}' }],
    ]);
  });

  it("gives a cancelled call's late answer to nobody (cases 2, 38)", async () => {
    const url = server.at("late");
    await using open = sseSession(url);
    const first = open.session.callTool("known", {}, { timeoutMs: 100 });
    await expect(first).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result["content"]).toEqual([{ type: "text", text: "in time" }]);
    expect(countOf(await server.seen(url), "notifications/cancelled")).toBe(1);
  });

  it("cancels a call at the server when its caller leaves (case 38)", async () => {
    const url = server.at("post-hangs");
    await using open = sseSession(url);
    const leaving = new AbortController();
    const call = open.session.callTool("known", {}, { ...limits, signal: leaving.signal });
    await server.seeUntil(url, (seen) => countOf(seen, "tools/call") === 1);
    leaving.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED", executed: "maybe" });
    await server.seeUntil(url, (seen) => countOf(seen, "notifications/cancelled") === 1);
  });

  it("goes on after an unusable message has failed a call", async () => {
    await using open = sseSession(server.at("garbage"));
    await expect(open.session.callTool("known", {}, limits)).rejects.toMatchObject({
      code: "RESPONSE_INVALID",
    });
    expect((await open.session.listTools(limits)).items).toHaveLength(1);
    expect(open.session.state).toBe("CONNECTED");
  });

  it("fails all calls in flight at once when the stream ends, and says so to the next (case 36)", async () => {
    await using open = sseSession(server.at("late-end"));
    await open.session.connect();
    const failures = await Promise.all(
      [1, 2, 3].map((n) =>
        open.session.callTool("known", { n }, limits).catch((error: unknown) => error),
      ),
    );
    expect(failures).toMatchObject(
      [1, 2, 3].map(() => ({ code: "CONNECTION_LOST", executed: "maybe" })),
    );
    expect(open.session.state).toBe("ERROR");
    await expect(open.session.listTools(limits)).rejects.toMatchObject({
      code: "SESSION_CLOSED",
      details: { reason: "CONNECTION_LOST" },
    });
  });

  it("delivers every notification once", async () => {
    await using open = sseSession(server.at("batch"));
    await open.session.callTool("known", {}, limits);
    expect(open.notifications).toEqual([
      { method: "notifications/message", params: { level: "info", data: "x" } },
    ]);
    expect(open.exceptions).toEqual([]);
  });

  it("closes its stream when it is ended while it connects", async () => {
    const url = server.at("no-endpoint");
    const open = sseSession(url);
    const connecting = open.session.connect().catch((error: unknown) => error);
    await server.seeUntil(url, (seen) => seen.length === 1);
    await open.session.disconnect();
    expect(await connecting).toMatchObject({ code: "SESSION_CLOSED", executed: "no" });
  });
});
