import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf } from "./failure-of.ts";
import { httpSession } from "./http-session.ts";
import { countOf, type RawFixture, startRawFixture } from "./raw-fixture.ts";

let raw: RawFixture;
beforeAll(async () => {
  raw = await startRawFixture();
});
afterAll(async () => raw.close());

const limits = { timeoutMs: 5_000 };

const statuses = [
  [400, { code: "UPSTREAM_HTTP_ERROR", executed: "maybe", details: { status: 400 } }],
  [401, { code: "UPSTREAM_UNAUTHORIZED", executed: "no", http: 502 }],
  [403, { code: "UPSTREAM_UNAUTHORIZED", executed: "no", http: 502 }],
  [404, { code: "UPSTREAM_HTTP_ERROR", executed: "no" }],
  [429, { code: "UPSTREAM_RATE_LIMITED", executed: "no", retryAfterS: 7, retryable: true }],
  [500, { code: "UPSTREAM_HTTP_ERROR", executed: "maybe", retryable: false }],
  [503, { code: "UPSTREAM_HTTP_ERROR", executed: "maybe" }],
  [
    307,
    {
      code: "UPSTREAM_REDIRECT",
      executed: "no",
      details: { status: 307, location: "https://elsewhere.example/mcp" },
    },
  ],
] as const;

describe.each(["legacy", "modern"] as const)("a call to a server of the %s era", (era) => {
  it.each(statuses)(
    "answered with HTTP %i is told as what it is (case 51)",
    async (status, expected) => {
      const url = raw.at(era, `status?code=${status}`);
      await using open = httpSession(url);
      const failure = await failureOf(open.session.callTool("known", {}, limits));
      expect(failure).toMatchObject(expected);
      expect(failure.message).toContain(raw.url);
      expect(failure.message).not.toContain("secret");
      expect(countOf(await raw.seen(url), "tools/call")).toBe(1);
    },
  );

  it("tells a refusal of the arguments, with the server's code and data", async () => {
    await using open = httpSession(raw.at(era, "invalid-params"));
    expect(await failureOf(open.session.callTool("known", {}, limits))).toMatchObject({
      code: "INVALID_PARAMS",
      http: 422,
      executed: "no",
      details: { rpc_code: -32602, rpc_message: "sorry", rpc_data: { field: "n" } },
    });
  });

  it.each(["invalid-params", "no-method", "says-unknown"])(
    "tells a tool that the server's list does not have, however it is told (%s)",
    async (mode) => {
      await using open = httpSession(raw.at(era, mode));
      expect(await failureOf(open.session.callTool("absent", {}, limits))).toMatchObject({
        code: "TOOL_NOT_FOUND",
        http: 404,
        executed: "no",
        message: "Tool 'absent' not found on server 'fixture'.",
      });
    },
  );

  it("leaves the failure of a tool that the list does have as it is", async () => {
    await using open = httpSession(raw.at(era, "says-unknown"));
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result).toMatchObject({ isError: true, content: [{ text: "tool known: no idea" }] });
    await using other = httpSession(raw.at(era, "no-method"));
    const failure = await failureOf(other.session.callTool("known", {}, limits));
    expect(failure).toMatchObject({ code: "SERVER_ERROR", details: { rpc_code: -32601 } });
  });

  it.each(["server-error", "error-with-status"])(
    "tells the server's own error apart from Gangway's (%s)",
    async (mode) => {
      await using open = httpSession(raw.at(era, mode));
      const failure = await failureOf(open.session.callTool("known", {}, limits));
      expect(failure).toMatchObject({
        code: "SERVER_ERROR",
        executed: "maybe",
        details: { rpc_code: -32050, rpc_message: "out of paper" },
      });
    },
  );
});

describe("connecting", () => {
  it("fails with the address when nobody listens", async () => {
    const gone = await startRawFixture();
    await gone.close();
    await using open = httpSession(gone.at("legacy", "sound"));
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(failure).toMatchObject({ code: "CONNECTION_FAILED", executed: "no", retryable: true });
    expect(failure.message).toContain(gone.url);
    expect(open.session.state).toBe("ERROR");
  });

  it.each([
    [401, "UPSTREAM_UNAUTHORIZED"],
    [429, "UPSTREAM_RATE_LIMITED"],
    [307, "UPSTREAM_REDIRECT"],
    [500, "UPSTREAM_HTTP_ERROR"],
    [404, "UPSTREAM_HTTP_ERROR"],
  ])("is told apart when the server answers everything with HTTP %i", async (status, code) => {
    const url = raw.at("legacy", `status-always?code=${status}`);
    await using open = httpSession(url);
    const failure = await failureOf(open.session.connect());
    expect(failure).toMatchObject({ code, executed: "no", server: "fixture" });
  });

  it("tells a web page from a server", async () => {
    await using open = httpSession(raw.at("legacy", "html-always"));
    const failure = await failureOf(open.session.connect());
    expect(failure).toMatchObject({ code: "RESPONSE_INVALID", executed: "no" });
    expect(failure.message).toContain("text/html");
  });

  it("tells a version that nobody speaks", async () => {
    await using open = httpSession(raw.at("legacy", "old-version"));
    const failure = await failureOf(open.session.connect());
    expect(failure.code).toBe("VERSION_UNSUPPORTED");
    expect(failure.message).toContain("1999-01-01");
  });

  it("tells a pinned revision that the server does not speak", async () => {
    await using open = httpSession(raw.at("legacy", "sound"), { protocol: "2026-07-28" });
    expect(await failureOf(open.session.connect())).toMatchObject({ code: "VERSION_UNSUPPORTED" });
  });

  it("gives up in time on a server that never finishes the handshake", async () => {
    await using open = httpSession(raw.at("legacy", "initialize-hangs"), { connectTimeoutMs: 600 });
    const failure = await failureOf(open.session.callTool("known", {}, limits));
    expect(failure).toMatchObject({ code: "CONNECT_TIMEOUT", http: 504, executed: "no" });
    expect(await failureOf(open.session.connect())).toMatchObject({
      code: "SESSION_CLOSED",
      details: { reason: "CONNECT_TIMEOUT" },
    });
  });

  it.each([
    ["hangs", "probe-hangs"],
    ["fails", "probe-fails"],
  ])("goes on as legacy when the version probe %s, and keeps no verdict", async (_, mode) => {
    const url = raw.at("legacy", mode);
    await using open = httpSession(url, { connectTimeoutMs: 2_000 });
    expect(await open.session.connect()).toMatchObject({ era: "legacy", prior: null });
    expect(countOf(await raw.seen(url), "server/discover")).toBe(1);
  });
});
