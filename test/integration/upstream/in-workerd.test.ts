import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_startWorker as startWorker } from "wrangler";
import { promptMs } from "../../support/promptness.ts";
import { countOf, type RawFixture, startRawFixture } from "./raw-fixture.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

let raw: RawFixture;
let worker: string;
let close: () => Promise<void>;

beforeAll(async () => {
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  process.env["WRANGLER_SEND_METRICS"] = "false";
  raw = await startRawFixture();
  const folder = await mkdtemp(join(tmpdir(), "gangway-worker-test-"));
  const configPath = join(folder, "wrangler.json");
  const config = {
    name: "session-worker",
    main: join(root, "test/fixtures/http/session-worker.ts"),
    compatibility_date: "2026-10-27",
    compatibility_flags: ["nodejs_compat", "enable_request_signal"],
  };
  await writeFile(configPath, JSON.stringify(config));
  // Not the test harness: that one sends a Worker's requests through Node's fetch, which follows
  // redirects, turns lost connections into HTTP 500 and does not end requests that are aborted.
  const server = { hostname: "127.0.0.1", port: 0 };
  const dev = { server, logLevel: "none", watch: false, persist: false, inspector: false } as const;
  const started = await startWorker({ config: configPath, dev });
  worker = (await started.url).origin;
  close = async () => {
    await started.dispose();
    await raw.close();
    await rm(folder, { recursive: true });
  };
});
afterAll(async () => close());

async function call(url: string, order: Record<string, unknown> = {}) {
  const body = JSON.stringify({ url, tool: "known", arguments: {}, timeoutMs: 60_000, ...order });
  const response = await fetch(worker, { method: "POST", body });
  return (await response.json()) as Record<string, unknown>;
}

const lost = { code: "CONNECTION_LOST", executed: "maybe" };
const invalid = { code: "RESPONSE_INVALID", executed: "maybe" };

describe.each(["legacy", "modern"] as const)(
  "in workerd, a call to a server of the %s era",
  (era) => {
    it("is answered, malformed parts repaired", async () => {
      const url = raw.at(era, "unknown-block");
      expect(await call(url)).toMatchObject({
        era,
        result: { content: [{ text: "before" }, { type: "text" }, { text: "after" }] },
        warnings: [{ code: "BLOCK_UNRECOGNIZED" }],
        upstreamRequests: era === "legacy" ? 4 : 2,
      });
      const ended = era === "legacy" ? 1 : 0;
      const seen = await raw.seeUntil(
        url,
        (requests) => requests.filter(({ verb }) => verb === "DELETE").length === ended,
      );
      expect(seen.filter(({ verb }) => verb === "GET")).toEqual([]);
    });

    it.each([
      ["end-early", lost],
      ["reset", lost],
      ["reset-at-once", lost],
      ["cut?at=30", lost],
      ["garbage", invalid],
      ["noise", invalid],
      ["garbage-json", invalid],
      ["foreign-id", invalid],
      ["foreign-id-stream", invalid],
      ["accepted", invalid],
      ["empty", invalid],
      ["html", invalid],
      ["status?code=500", { code: "UPSTREAM_HTTP_ERROR", executed: "maybe" }],
      ["status?code=307", { code: "UPSTREAM_REDIRECT", executed: "no" }],
    ])("fails at once at %s", async (mode, failure) => {
      const url = raw.at(era, mode);
      const answer = await call(url);
      expect(answer).toMatchObject({ failure });
      expect(answer["ms"]).toBeLessThan(promptMs);
      expect(countOf(await raw.seen(url), "tools/call")).toBe(1);
    });

    it("is cancelled at the server when its time is over (case 38)", async () => {
      const url = raw.at(era, "hang");
      expect(await call(url, { timeoutMs: 300 })).toMatchObject({
        failure: { code: "REQUEST_TIMEOUT" },
      });
      await raw.seeUntil(url, (seen) =>
        seen.some((request) => request.method === "tools/call" && request.closedEarly),
      );
      expect(countOf(await raw.seen(url), "notifications/cancelled")).toBe(
        era === "legacy" ? 1 : 0,
      );
    });

    it("refuses an answer larger than the limit", async () => {
      const answer = await call(raw.at(era, "huge"), { maxMessageBytes: 50_000 });
      expect(answer).toMatchObject({ failure: { code: "RESPONSE_TOO_LARGE" } });
    });
  },
);

it("in workerd, a server that is down is told as down", async () => {
  const gone = await startRawFixture();
  await gone.close();
  const answer = await call(gone.at("legacy", "sound"));
  expect(answer).toMatchObject({ failure: { code: "CONNECTION_FAILED", executed: "no" } });
});
