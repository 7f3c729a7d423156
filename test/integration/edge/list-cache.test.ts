import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FeatureGangway, startFeatures } from "../../support/features.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

let gangway: FeatureGangway;

beforeAll(async () => {
  gangway = await startFeatures({ modernFlags: ["--ttl=60000"] });
});

afterAll(() => gangway.close());

/** Lists once, and answers how often the server was asked and whether the list was kept. */
async function list(
  server: "legacy" | "modern",
  {
    path = "/v1/tools/list",
    options = {},
    ...rest
  }: Record<string, unknown> & { path?: string } = {},
) {
  const fixture = gangway[server];
  const method = path.slice("/v1/".length);
  const before = (await gangway.observed(fixture)).methods[method] ?? 0;
  const { body } = await gangway.post(path, { servers: [server], options, ...rest });
  const after = (await gangway.observed(fixture)).methods[method] ?? 0;
  const [listing] = body["servers"] as { cached: boolean; ok: boolean }[];
  return { asked: after - before, cached: listing?.cached, hash: body["catalogue_hash"], body };
}

const fresh = { asked: 4, cached: false };
const kept = { asked: 0, cached: true };

describe.each([["legacy"], ["modern"]] as const)("the list of a server (%s)", (server) => {
  it("is asked for once, and kept for the same subject alone", async () => {
    const first = await list(server);
    expect(first).toMatchObject(fresh);
    const second = await list(server);
    expect(second).toMatchObject(kept);
    expect(second.hash).toBe(first.hash);
    expect(second.body["servers"]).toMatchObject([{ era: server, ok: true, tools: 8 }]);
    expect(await list(server, { options: { subject: "someone-else" } })).toMatchObject(fresh);
  });

  it("is asked for anew on demand", async () => {
    await list(server);
    expect(await list(server, { options: { refresh: true } })).toMatchObject(fresh);
  });

  it("is dropped when the server tells of a change", async () => {
    await list(server);
    expect(await list(server, { path: "/v1/prompts/list" })).toMatchObject({ cached: false });
    const call = { server, tool: "change", options: {} };
    expect((await gangway.post("/v1/tools/call", call)).body).toMatchObject({ success: true });
    expect(await list(server)).toMatchObject(fresh);
    expect(await list(server, { path: "/v1/prompts/list" })).toMatchObject(kept);
  });

  it("is not shared with a config that reaches the server otherwise", async () => {
    await list(server);
    const url = `${gangway[server].url}/mcp`;
    const config = {
      name: server,
      type: "mcp",
      transport: "http",
      url,
      headers: { "X-Token": "another" },
    };
    expect(await list(server, { config })).toMatchObject(fresh);
  });

  it("finds a changed name without a request of its own", async () => {
    await list(server);
    const before = (await gangway.observed(gangway[server])).methods["tools/list"];
    const call = { server, tool: "weird-name" };
    const { body } = await gangway.post("/v1/tools/call", call);
    expect(body).toMatchObject({ success: true, metadata: { tool: "weird/name" } });
    // The session itself looks a name up once before it says that there is none.
    expect((await gangway.observed(gangway[server])).methods["tools/list"]).toBe((before ?? 0) + 4);
  });
});

describe("what a modern server says of its list", () => {
  const started: StartedFixture[] = [];
  afterAll(() => Promise.all(started.map((fixture) => fixture.close())));

  async function lists(flags: readonly string[], second: Record<string, unknown>) {
    const fixture = await startFixture("http/features-modern.ts", flags);
    started.push(fixture);
    const config = { name: "own", type: "mcp", transport: "http", url: `${fixture.url}/mcp` };
    await gangway.post("/v1/tools/list", { config });
    const { body } = await gangway.post("/v1/tools/list", { config, options: second });
    return (body["servers"] as { cached: boolean }[])[0]?.cached;
  }

  it.each([
    ["no time at all", ["--ttl=0"], {}, false],
    ["a time, for the subject", ["--ttl=60000"], {}, true],
    ["a time, for the subject, and another asks", ["--ttl=60000"], { subject: "b" }, false],
    ["a time, for everybody", ["--ttl=60000", "--scope=public"], { subject: "b" }, true],
  ])("is followed: %s", async (_name, flags, second, cached) => {
    expect(await lists(flags, second)).toBe(cached);
  });
});
