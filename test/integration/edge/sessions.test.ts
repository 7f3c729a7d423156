import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FeatureGangway, startFeatures, within } from "../../support/features.ts";
import { promptMs } from "../../support/promptness.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

let gangway: FeatureGangway;

beforeAll(async () => {
  gangway = await startFeatures();
});

afterAll(() => gangway.close());

async function count(session: string, changes: Record<string, unknown> = {}) {
  const body = { server: "legacy", tool: "count", ...changes, options: { session } };
  const answer = await gangway.post("/v1/tools/call", body);
  const [block] = (answer.body["content"] ?? []) as { text?: string }[];
  const metadata = (answer.body["metadata"] ?? {}) as Record<string, unknown>;
  return { ...answer, text: block?.text, handle: String(metadata["session"]), metadata };
}

async function end(handle: string, body: Record<string, unknown> | null = null) {
  const response = await fetch(`${gangway.url}/v1/sessions/${handle}`, {
    method: "DELETE",
    headers: {
      authorization: `Bearer ${gangway.key}`,
      ...(body === null ? {} : { "content-type": "application/json" }),
    },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("a session that is kept", () => {
  it("holds the server's state over requests, one upstream request each (case 8)", async () => {
    const first = await count("new");
    expect(first.handle).toMatch(/^gws1\./);
    const second = await count(first.handle);
    expect([first.text, second.text]).toEqual(["1", "2"]);
    expect(second.metadata).toMatchObject({
      upstream_requests: 1,
      era: "legacy",
      protocol_version: "2025-11-25",
    });
    // Every answer gives a fresh handle of the same session, and the older ones go on.
    expect((await count(second.handle)).text).toBe("3");
    expect((await count(first.handle)).text).toBe("4");
    expect((await count("new")).text).toBe("1");
  });

  it("is used by prompts and resources as well, and its log level is set", async () => {
    const { handle } = await count("new");
    const options = { session: handle, log_level: "error" };
    const prompt = await gangway.post("/v1/prompts/get", {
      server: "legacy",
      prompt: "greet",
      options,
    });
    expect(prompt.body).toMatchObject({
      success: true,
      metadata: { session: expect.stringMatching(/^gws1\./) },
    });
    expect((await gangway.observed(gangway.legacy)).logLevels).toContain("error");
  });

  it("is told to be gone with 410 where the server forgot it, and none is made in silence (case 8)", async () => {
    const { handle } = await count("new");
    await fetch(`${gangway.legacy.url}/forget`);
    const gone = await count(handle);
    expect(gone.status).toBe(410);
    expect(gone.body).toMatchObject({
      error: { code: "SESSION_EXPIRED", executed: "no", server: "legacy" },
    });
  });

  it("ends by DELETE, as often as it is asked", async () => {
    const before = await gangway.observed(gangway.legacy);
    const { handle } = await count("new");
    for (let round = 0; round < 2; round += 1) {
      expect(await end(handle)).toMatchObject({
        status: 200,
        body: { success: true, ended: true },
      });
    }
    expect((await gangway.observed(gangway.legacy)).ended).toBe(before.ended + 1);
    expect((await count(handle)).status).toBe(410);
  });

  it("of a submitted server ends with that server's config", async () => {
    const url = `${gangway.legacy.url}/own`;
    const config = { name: "own", type: "mcp", transport: "http", url };
    const { handle } = await count("new", { server: "own", config });
    expect(await end(handle)).toMatchObject({ status: 400 });
    const { ended } = await gangway.observed(gangway.legacy);
    expect(await end(handle, { config })).toMatchObject({ body: { ended: true } });
    expect((await gangway.observed(gangway.legacy)).ended).toBe(ended + 1);
  });

  it("is not left behind by a call that fails", async () => {
    const before = await gangway.observed(gangway.legacy);
    const body = { server: "legacy", tool: "nope", options: { session: "new" } };
    expect((await gangway.post("/v1/tools/call", body)).status).toBe(404);
    await within(
      promptMs,
      async () => (await gangway.observed(gangway.legacy)).ended > before.ended,
    );
    expect((await gangway.observed(gangway.legacy)).sessions).toBe(before.sessions);
  });

  it.each([
    ["another subject", { subject: "someone-else" }],
    ["text that is no handle", { session: "gws1.k1.x" }],
  ])("is refused for %s", async (_name, changes) => {
    const { handle } = await count("new");
    const options = { session: handle, ...changes };
    const answer = await gangway.post("/v1/tools/call", {
      server: "legacy",
      tool: "count",
      options,
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: "SESSION_INVALID", executed: "no" } });
  });

  it("is refused for another server, whatever its name", async () => {
    const { handle } = await count("new");
    const config = {
      name: "legacy",
      type: "mcp",
      transport: "http",
      url: `${gangway.legacy.url}/other`,
    };
    expect((await count(handle, { config })).body).toMatchObject({
      error: { code: "SESSION_INVALID" },
    });
    expect(await end("nonsense")).toMatchObject({
      status: 400,
      body: { error: { code: "SESSION_INVALID" } },
    });
  });

  const sse = { name: "stream", type: "mcp", transport: "sse", url: "http://127.0.0.1:9/sse" };
  it.each([
    ["a modern one", { server: "modern" }, "stateless"],
    ["one over SSE", { server: "stream", config: sse }, "sse"],
  ])("is refused for a server that has none: %s", async (_name, fields, reason) => {
    const before = await gangway.observed(gangway.modern);
    const body = { ...fields, tool: "echo", options: { session: "new" } };
    const answer = await gangway.post("/v1/tools/call", body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      error: { code: "SESSION_UNSUPPORTED", executed: "no", details: { reason } },
    });
    expect((await gangway.observed(gangway.modern)).methods["tools/call"]).toBe(
      before.methods["tools/call"],
    );
  });
});

describe("other servers of the legacy era", () => {
  const started: StartedFixture[] = [];
  afterAll(() => Promise.all(started.map((fixture) => fixture.close())));

  async function own(flag: string) {
    const fixture = await startFixture("http/features-legacy.ts", [flag]);
    started.push(fixture);
    return {
      fixture,
      config: { name: "legacy", type: "mcp", transport: "http", url: `${fixture.url}/mcp` },
    };
  }

  it("may answer 400 for a session that they forgot", async () => {
    const { fixture, config } = await own("--gone-400");
    const { handle } = await count("new", { config });
    await fetch(`${fixture.url}/forget`);
    expect((await count(handle, { config })).body).toMatchObject({
      error: { code: "SESSION_EXPIRED" },
    });
  });

  it("may keep no session, which is told before anything runs", async () => {
    const { fixture, config } = await own("--stateless");
    expect((await count("new", { config })).body).toMatchObject({
      error: { code: "SESSION_UNSUPPORTED", details: { reason: "no_session_id" } },
    });
    expect((await gangway.observed(fixture)).methods["tools/call"]).toBeUndefined();
  });

  it("that cannot log are never told a log level", async () => {
    const { fixture, config } = await own("--no-logging");
    const body = { config, tool: "echo", options: { log_level: "debug" } };
    expect((await gangway.post("/v1/tools/call", body)).body).toMatchObject({ success: true });
    expect((await gangway.observed(fixture)).methods).not.toHaveProperty("logging/setLevel");
  });
});
