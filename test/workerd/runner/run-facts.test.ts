import { describe, expect, it } from "vitest";
import { readRunFacts } from "../../../functions/runner/run-facts.ts";

const launch = { runner: "npx", package: "a", version: "1.2.3", env: { A: "1" } };
const list = {
  tenant: "acme",
  pool_key: "k",
  protocol: "auto",
  launch,
  operation: { method: "tools/list" },
  limits: {},
};

const facts = (run: unknown) => readRunFacts(new TextEncoder().encode(JSON.stringify(run)));
const keyOf = async (changes: Record<string, unknown>) =>
  (await facts({ ...list, ...changes })).listKey;

describe("what the runner reads of a run", () => {
  it("tells the tenant, and whether its request brought the server", async () => {
    expect(await facts(list)).toMatchObject({ tenant: "acme", submitted: false, refresh: false });
    for (const source of ["deployment", "tenant", "of a later version"]) {
      expect(await facts({ ...list, source })).toMatchObject({ submitted: false });
    }
    const sent = { ...list, source: "submitted", refresh: true };
    expect(await facts(sent)).toMatchObject({ submitted: true, refresh: true });
  });

  it.each([
    ["a minute without a wish", {}, 60],
    ["the tenant's time", { limits: { idle_ms: 120_000 } }, 120],
    ["no shorter than ten seconds", { limits: { idle_ms: 1 } }, 10],
    ["no longer than a quarter of an hour", { limits: { idle_ms: 86_400_000 } }, 900],
    ["the tenant's time beside a session", { session: { id: "s", idle_ms: 300_000 } }, 60],
  ])("keeps a container %s", async (_what, changes, seconds) => {
    expect(await facts({ ...list, ...changes })).toMatchObject({ sleepAfterS: seconds });
  });

  it("tells a session by a name that is no use to others, and how long it is kept", async () => {
    const sessionOf = async (session: unknown, method = "tools/call") =>
      (await facts({ ...list, session, operation: { method } })).session;
    const name = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect((await facts(list)).session).toBeNull();
    expect(await sessionOf({ id: "s", idle_ms: 300_000 })).toEqual({ name, keptS: 300 });
    expect(await sessionOf({ id: "s", idle_ms: 86_400_000 })).toEqual({ name, keptS: 900 });
    expect(await sessionOf({ id: "s", idle_ms: 1 }, "end-session")).toEqual({ name, keptS: null });
    const [one, same, other] = await Promise.all(
      ["s", "s", "t"].map(async (id) => (await sessionOf({ id }))?.name),
    );
    expect([one === same, one === other]).toEqual([true, false]);
  });

  it("keeps the lists of exact versions alone", async () => {
    expect(await keyOf({})).toMatch(/^[0-9a-f]{64}$/);
    const digest = { runner: "docker", version: `sha256:${"0".repeat(64)}` };
    expect(await keyOf({ launch: { ...launch, ...digest } })).not.toBeNull();
    for (const version of [null, "latest", "^1.2.3"]) {
      expect(await keyOf({ launch: { ...launch, version } })).toBeNull();
    }
    expect(await keyOf({ operation: { method: "tools/call" } })).toBeNull();
    expect(await keyOf({ session: { id: "s" } })).toBeNull();
  });

  it("keeps a list apart by all that it may depend on", async () => {
    const keys = [
      await keyOf({}),
      await keyOf({ pool_key: "another subject's" }),
      await keyOf({ protocol: "legacy" }),
      await keyOf({ operation: { method: "prompts/list" } }),
      await keyOf({ launch: { ...launch, version: "1.2.4" } }),
      await keyOf({ launch: { ...launch, env: { A: "2" } } }),
      await keyOf({ client_capabilities: { elicitation: {} } }),
      await keyOf({ client_capabilities: { sampling: {} } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keyOf({ request_id: "another" })).toBe(keys[0]);
  });

  it.each([
    ["no JSON", "{"],
    ["no run", "{}"],
    ["no text", new Uint8Array([0xff])],
  ])("refuses %s, and says nothing of it", async (_what, body) => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    await expect(readRunFacts(bytes)).rejects.toMatchObject({
      code: "REQUEST_INVALID",
      message: "The run request does not follow contract v1.",
    });
  });
});
