import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { promptMs } from "../../support/promptness.ts";
import { failureOf } from "./failure-of.ts";
import { httpSession } from "./http-session.ts";
import { countOf, type RawFixture, startRawFixture } from "./raw-fixture.ts";

let raw: RawFixture;
beforeAll(async () => {
  raw = await startRawFixture();
});
afterAll(async () => raw.close());

/** As long as the default of `request_timeout`: a test that waits for it fails. */
const limits = { timeoutMs: 60_000 };

const lost = { code: "CONNECTION_LOST", executed: "maybe" };
const invalid = { code: "RESPONSE_INVALID", executed: "maybe" };

const broken = [
  ["a stream that ends", "end-early", lost],
  ["a stream that is reset", "reset", lost],
  ["a connection that is reset", "reset-at-once", lost],
  ["a stream that is cut in its first event", "cut?at=30", lost],
  ["a JSON body that is cut", "cut-json", lost],
  ["an event that is no JSON", "garbage", invalid],
  ["a stream that is no event stream", "noise", invalid],
  ["a body that is no JSON", "garbage-json", invalid],
  ["a body that is no message", "no-message", invalid],
  ["a result that is no object", "no-object", { code: "RESPONSE_INVALID", executed: "yes" }],
  ["a foreign id", "foreign-id", invalid],
  ["a foreign id on a stream that stays open", "foreign-id-stream", invalid],
  ["a 202", "accepted", invalid],
  ["a 204", "empty", invalid],
  ["a web page", "html", invalid],
] as const;

/** The content that a call gets whose answer is cut after `at` bytes, or its error's code. */
async function outcomeOfCut(
  era: "legacy" | "modern",
  mode: "cut" | "cut-json-at",
  at: number,
): Promise<string> {
  await using open = httpSession(raw.at(era, `${mode}?at=${at}`));
  await open.session.connect();
  try {
    const { result } = await open.session.callTool("known", {}, limits);
    return JSON.stringify(result["content"]);
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error);
  }
}

describe.each(["legacy", "modern"] as const)("a call to a server of the %s era", (era) => {
  it.each(broken)("fails at once at %s (case 36)", async (_, mode, expected) => {
    const url = raw.at(era, mode);
    await using open = httpSession(url);
    await open.session.connect();
    const startedAt = performance.now();
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(performance.now() - startedAt).toBeLessThan(promptMs);
    expect(failure).toMatchObject({ ...expected, server: "fixture" });
    expect(failure.message).toContain(raw.url);
    expect(countOf(await raw.seen(url), "tools/call")).toBe(1);
  });

  it.each([
    ["a stream", "cut"],
    ["a body", "cut-json-at"],
  ] as const)("is answered or fails at whichever byte %s is cut", async (_, mode) => {
    const outcomes: string[] = [];
    // Longer than the answer; thirty sessions at a time.
    for (let from = 0; from < 210; from += 30) {
      const cuts = Array.from({ length: 30 }, (__, index) => from + index);
      outcomes.push(...(await Promise.all(cuts.map((at) => outcomeOfCut(era, mode, at)))));
    }
    const failed = outcomes.filter((outcome) => outcome === "CONNECTION_LOST");
    const whole = '[{"type":"text","text":"never complete"}]';
    const answered = outcomes.filter((outcome) => outcome === whole);
    expect(failed.length).toBeGreaterThan(5);
    expect(answered.length).toBeGreaterThan(2);
    // Never a wrong answer.
    expect(failed.length + answered.length).toBe(outcomes.length);
  });

  it("goes on after another call of the session has failed", async () => {
    await using open = httpSession(raw.at(era, "end-early"));
    await failureOf(open.session.callTool("known", {}, limits));
    const { items } = await open.session.listTools(limits);
    expect(items).toHaveLength(1);
    expect(open.session.state).toBe("CONNECTED");
  });

  it("refuses an answer larger than the limit, compressed or not", async () => {
    await using open = httpSession(raw.at(era, "huge"), {}, { maxMessageBytes: 100_000 });
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(failure).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      details: { limit_bytes: 100_000 },
    });
  });

  it("gives up on a stream that has fallen silent", async () => {
    await using open = httpSession(raw.at(era, "silent-stream"), {}, { silenceMs: 200 });
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(failure).toMatchObject(lost);
    expect(failure.message).toContain("200 ms");
  });
});

describe("a stream with event ids", () => {
  it("is taken up again by GET, the call is not sent twice", async () => {
    const url = raw.at("legacy", "resumable");
    await using open = httpSession(url);
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result).toMatchObject({ content: [{ text: "resumed" }] });
    const seen = await raw.seen(url);
    expect(countOf(seen, "tools/call")).toBe(1);
    expect(seen.filter(({ verb }) => verb === "GET")).toHaveLength(1);
  });
});
