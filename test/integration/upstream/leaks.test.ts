import { afterAll, beforeAll, expect, it } from "vitest";
import { type SseFixture, startSseFixture } from "../upstream-sse/raw-fixture.ts";
import { sseSession } from "../upstream-sse/sse-session.ts";
import { httpSession } from "./http-session.ts";
import { type RawFixture, startRawFixture } from "./raw-fixture.ts";

/**
 * What stays behind of a call that went wrong: no timer, and no request at the server. In Node,
 * which tells its timers; a WebSocket's transport needs the Worker's runtime, where its faults are
 * tested for open connections.
 */

let http: RawFixture;
let sse: SseFixture;
beforeAll(async () => {
  [http, sse] = await Promise.all([startRawFixture(), startSseFixture()]);
});
afterAll(async () => Promise.all([http.close(), sse.close()]));

/** Timers that keep the process alive, those of the test's own time limit included. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

const limits = { timeoutMs: 300 };

it.each([
  "sound",
  "end-early",
  "reset",
  "cut-json",
  "garbage",
  "foreign-id-stream",
  "endless-comments",
  "gzip-bomb",
  "accepted",
  "empty",
  "html",
  "status?code=307",
  "status?code=401",
  "status?code=500",
  "hang",
  "silent-body",
  "silent-stream",
  "trickle",
])("streamable HTTP leaves nothing behind after: %s", async (mode) => {
  const before = timers();
  for (const era of ["legacy", "modern"] as const) {
    const { session } = httpSession(http.at(era, mode));
    await session.callTool("known", {}, limits).catch(() => undefined);
    await session.disconnect();
  }
  await http.allClosed();
  expect(timers()).toBeLessThanOrEqual(before);
});

it.each([
  "sound",
  "stream-ends",
  "reset",
  "garbage",
  "foreign-id",
  "comments-in-call",
  "post-reset",
  "post-status?code=401",
  "hang",
  "post-hangs",
  "trickle-in-call",
  "end-at-once",
  "noise",
  "status?code=500",
  "initialize-ends",
])("SSE leaves nothing behind after: %s", async (mode) => {
  const before = timers();
  const { session } = sseSession(sse.at(mode));
  await session.callTool("known", {}, limits).catch(() => undefined);
  await session.disconnect();
  await sse.allClosed();
  expect(timers()).toBeLessThanOrEqual(before);
});
