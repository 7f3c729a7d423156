import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Progress } from "../../../shared/mcp/session-types.ts";
import { failureOf } from "./failure-of.ts";
import { httpSession } from "./http-session.ts";
import { countOf, type RawFixture, startRawFixture } from "./raw-fixture.ts";

let raw: RawFixture;
beforeAll(async () => {
  raw = await startRawFixture();
});
afterAll(async () => raw.close());

const limits = { timeoutMs: 5_000 };

describe.each(["legacy", "modern"] as const)("a list of a server of the %s era", (era) => {
  it("holds the items of all pages (case 49)", async () => {
    const url = raw.at(era, "paged");
    await using open = httpSession(url);
    const { items, warnings } = await open.session.listTools(limits);
    expect(items.map(({ name }) => name)).toEqual(
      Array.from({ length: 15 }, (_, n) => `tool-${n}`),
    );
    expect(warnings).toEqual([]);
    expect(open.session.tools).toEqual(items);
    expect(countOf(await raw.seen(url), "tools/list")).toBe(5);
  });

  it("ends where the pages go in a circle", async () => {
    await using open = httpSession(raw.at(era, "page-loop"));
    const { items, warnings } = await open.session.listTools(limits);
    expect(items).toHaveLength(2);
    expect(warnings.map(({ code }) => code)).toEqual(["LIST_CURSOR_LOOP"]);
  });

  it("ends at the page limit", async () => {
    await using open = httpSession(raw.at(era, "endless"), { maxListPages: 7 });
    const { items, warnings } = await open.session.listTools(limits);
    expect(items).toHaveLength(7);
    expect(warnings.map(({ code }) => code)).toEqual(["LIST_TOO_LONG"]);
  });

  it("is empty where the server knows no such list", async () => {
    await using open = httpSession(raw.at(era, "no-lists"));
    expect(await open.session.listTools(limits)).toEqual({ items: [], warnings: [] });
    expect(await open.session.listPrompts(limits)).toEqual({ items: [], warnings: [] });
  });

  it("is asked for though the server declares no such capability", async () => {
    await using open = httpSession(raw.at(era, "sound"));
    const { items } = await open.session.listPrompts(limits);
    expect(items).toEqual([{ name: "greet" }]);
    expect(open.session.prompts).toEqual(items);
  });

  it("fails as a whole, and runs nothing, when the time is over", async () => {
    await using open = httpSession(raw.at(era, "endless"), { maxListPages: 1_000_000 });
    const failure = await failureOf(open.session.listTools({ timeoutMs: 300 }));
    expect(failure).toMatchObject({ code: "REQUEST_TIMEOUT", executed: "no" });
  });

  it("is refreshed once more when changes come while it is refreshed", async () => {
    const url = raw.at(era, "list-changed");
    await using open = httpSession(url);
    await open.session.listTools(limits);
    await open.session.callTool("known", {}, limits);
    await raw.seeUntil(url, (seen) => countOf(seen, "tools/list") === 3);
    await open.session.callTool("known", {}, limits);
    const seen = await raw.seeUntil(url, (requests) => countOf(requests, "tools/list") === 5);
    expect(countOf(seen, "tools/call")).toBe(2);
    expect(open.notifications.map(({ method }) => method)).toEqual(
      Array.from({ length: 6 }, () => "notifications/tools/list_changed"),
    );
    expect(open.exceptions).toEqual([]);
  });
});

describe.each(["legacy", "modern"] as const)("a call to a server of the %s era", (era) => {
  it("fails when its time is over, and is cancelled at the server (case 38)", async () => {
    const url = raw.at(era, "hang");
    await using open = httpSession(url);
    await open.session.connect();
    const failure = await failureOf(open.session.callTool("known", {}, { timeoutMs: 300 }));
    expect(failure).toMatchObject({
      code: "REQUEST_TIMEOUT",
      http: 504,
      executed: "maybe",
      retryable: false,
      details: { timeout_ms: 300 },
    });
    await expectCancelled(url, era);
  });

  it("fails at once when the caller gives up, and is cancelled at the server (case 38)", async () => {
    const url = raw.at(era, "hang");
    await using open = httpSession(url);
    await open.session.connect();
    const abort = new AbortController();
    const call = open.session.callTool("known", {}, { ...limits, signal: abort.signal });
    await raw.seeUntil(url, (seen) => countOf(seen, "tools/call") === 1);
    abort.abort();
    expect(await failureOf(call)).toMatchObject({ code: "CANCELLED", executed: "maybe" });
    await expectCancelled(url, era);
  });

  it("is cancelled at the server even when the session ends right after", async () => {
    const url = raw.at(era, "hang");
    const open = httpSession(url);
    await open.session.connect();
    const abort = new AbortController();
    const call = failureOf(open.session.callTool("known", {}, { ...limits, signal: abort.signal }));
    await raw.seeUntil(url, (seen) => countOf(seen, "tools/call") === 1);
    abort.abort();
    await open.session.disconnect();
    expect((await call).code).toBe("CANCELLED");
    await expectCancelled(url, era);
  });

  it("is not sent when the caller has given up before", async () => {
    const url = raw.at(era, "sound");
    await using open = httpSession(url);
    await open.session.connect();
    const call = open.session.callTool("known", {}, { ...limits, signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ code: "CANCELLED", executed: "no" });
    expect(countOf(await raw.seen(url), "tools/call")).toBe(0);
  });

  it("lives on while progress comes, and tells it (case 35)", async () => {
    await using open = httpSession(raw.at(era, "progress"));
    const progress: Progress[] = [];
    const options = {
      timeoutMs: 400,
      extendsToMs: 5_000,
      onProgress: (step: Progress) => progress.push(step),
    };
    const { result } = await open.session.callTool("known", { steps: 8, ms: 100 }, options);
    expect(result).toMatchObject({ content: [{ text: "done" }] });
    expect(progress.map((step) => step.progress)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("does not live on past the total that progress may extend to (case 35)", async () => {
    await using open = httpSession(raw.at(era, "progress"));
    await open.session.connect();
    const startedAt = performance.now();
    const options = { timeoutMs: 400, extendsToMs: 700 };
    const call = open.session.callTool("known", { steps: 100, ms: 50 }, options);
    expect(await failureOf(call)).toMatchObject({ code: "REQUEST_TIMEOUT" });
    // Its own end, after 5 s, is not reached.
    expect(performance.now() - startedAt).toBeGreaterThan(600);
  });

  it("does not live on by progress where nobody asked for that", async () => {
    await using open = httpSession(raw.at(era, "progress"));
    const call = open.session.callTool("known", { steps: 100, ms: 50 }, { timeoutMs: 300 });
    expect(await failureOf(call)).toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  it("fails at once when the session ends, saying that the tool may have run", async () => {
    const url = raw.at(era, "hang");
    await using open = httpSession(url);
    const call = failureOf(open.session.callTool("known", {}, limits));
    await raw.seeUntil(url, (seen) => countOf(seen, "tools/call") === 1);
    await open.session.disconnect();
    expect(await call).toMatchObject({ code: "SESSION_CLOSED", executed: "maybe" });
    const next = await failureOf(open.session.callTool("known", {}, limits));
    expect(next).toMatchObject({ code: "SESSION_CLOSED", executed: "no", retryable: true });
  });

  it("tells the moment from which its bytes may have left", async () => {
    await using open = httpSession(raw.at(era, "sound"));
    const events: string[] = [];
    await open.session.connect();
    const options = { ...limits, onSent: () => events.push("sent") };
    await open.session.callTool("known", {}, options).then(() => events.push("answered"));
    expect(events).toEqual(["sent", "answered"]);
  });
});

describe("a modern server that wants arguments in headers", () => {
  it("gets them at once when its tools were listed, else after it has turned the call away", async () => {
    const url = raw.at("modern", "wants-headers");
    const args = { region: "eu" };
    await using open = httpSession(url);
    const cold = await open.session.callTool("known", args, limits);
    expect(cold.result).toMatchObject({ content: [{ text: "from eu" }] });
    expect(countOf(await raw.seen(url), "tools/call")).toBe(2);
    await open.session.callTool("known", args, limits);
    expect(countOf(await raw.seen(url), "tools/call")).toBe(3);
  });

  it("is told when they do not help", async () => {
    const url = raw.at("modern", "wants-headers");
    await using open = httpSession(url);
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(failure).toMatchObject({
      code: "SERVER_ERROR",
      executed: "no",
      details: { rpc_code: -32020 },
    });
    expect(countOf(await raw.seen(url), "tools/call")).toBe(2);
  });
});

/** The call's connection is closed; a legacy server is told by a notification, once. */
async function expectCancelled(url: string, era: "legacy" | "modern"): Promise<void> {
  const seen = await raw.seeUntil(url, (requests) =>
    requests.some((request) => request.method === "tools/call" && request.closedEarly),
  );
  const cancelled = seen.filter(({ method }) => method === "notifications/cancelled");
  const told = cancelled.map(({ params }) => typeof params?.["requestId"]);
  expect(told).toEqual(era === "legacy" ? ["number"] : []);
}
