import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSealKey } from "../../../shared/seal/seal-keys.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { isRunning, until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";

let registry: NpmRegistry;
let gangway: Gangway;

const asker = {
  type: "mcp",
  command: "npx",
  args: ["-y", "-p", "@fixture/stdio@1.0.0", "asker"],
};
const shared = { ...asker, name: "shared", share: "tenant" };

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  gangway = await startGangway({
    registry: registry.url,
    servers: [{ ...asker, name: "asker" }, shared],
    tenant: { limits: { session_idle_seconds: 2 } },
    vars: { GANGWAY_SEAL_KEYS: makeSealKey("k1") },
    hostEnvironment: { GANGWAY_HOST_STOP_GRACE_MS: "200", GANGWAY_HOST_MAX_PROCESSES: "12" },
  });
});
afterAll(async () => {
  await gangway.close();
  await registry.close();
});

async function call(tool: string, options: Record<string, unknown>, server = "asker") {
  const answer = await gangway.post("/v1/tools/call", { server, tool, options });
  const [block] = (answer.body["content"] ?? []) as { text?: string }[];
  const metadata = (answer.body["metadata"] ?? {}) as Record<string, unknown>;
  return { ...answer, text: block?.text, handle: String(metadata["session"]), metadata };
}

async function end(handle: string) {
  const response = await fetch(`${gangway.url}/v1/sessions/${handle}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${gangway.key}` },
  });
  return { status: response.status, body: await response.json() };
}

const expired = { status: 410, body: { error: { code: "SESSION_EXPIRED", executed: "no" } } };

describe("a session of a stdio server", () => {
  it("is a process of its own, behind a sealed handle (case 8)", async () => {
    const first = await call("count", { session: "new" });
    expect(first.handle).toMatch(/^gws1\./);
    expect(first.metadata).toMatchObject({ warm: false, era: "legacy" });
    const second = await call("count", { session: first.handle });
    expect([first.text, second.text, second.metadata["warm"]]).toEqual(["1", "2", true]);
    expect((await call("count", { session: "new" })).text).toBe("1");
    const plain = await call("count", {});
    expect([plain.text, plain.metadata["session"]]).toEqual(["1", null]);
  });

  it("is no other's, of a server that the tenant shares as well", async () => {
    const pids = await Promise.all(
      ["ada", "grace"].map(async (subject) => {
        const options = { session: "new", subject };
        const { text, handle } = await call("pid", options, "shared");
        expect((await call("pid", { session: handle, subject }, "shared")).text).toBe(text);
        const stolen = await call("pid", { session: handle, subject: "eve" }, "shared");
        expect(stolen).toMatchObject({
          status: 400,
          body: { error: { code: "SESSION_INVALID", executed: "no" } },
        });
        return text;
      }),
    );
    expect(new Set(pids).size).toBe(2);
  });

  it("is not that of a server which a request copies", async () => {
    const { handle } = await call("pid", { session: "new" });
    const copy = { config: { tools: [{ ...asker, name: "asker" }] }, server: "asker" };
    const stolen = await gangway.post("/v1/tools/call", {
      ...copy,
      tool: "pid",
      options: { session: handle },
    });
    expect(stolen).toMatchObject({ status: 400, body: { error: { code: "SESSION_INVALID" } } });
    await end(handle);
  });

  it("serves the calls of one request together", async () => {
    const calls = Array.from({ length: 4 }, () => ({ server: "asker", tool: "pid" }));
    const { body } = await gangway.post("/v1/tools/call", { calls, options: { session: "new" } });
    const results = body["results"] as { content: { text: string }[] }[];
    expect(new Set(results.map(({ content }) => content[0]?.text)).size).toBe(1);
  });

  it("ends by DELETE, as often as it is asked", async () => {
    const { text, handle } = await call("pid", { session: "new" });
    for (let round = 0; round < 2; round += 1) {
      expect(await end(handle)).toMatchObject({ status: 200, body: { ended: true } });
    }
    expect(isRunning(Number(text))).toBe(false);
    expect(await call("pid", { session: handle })).toMatchObject(expired);
  });

  it("ends when it is unused for as long as the tenant's limits say, and none is made in silence (case 8)", async () => {
    const { text, handle } = await call("pid", { session: "new" });
    await until("the process is gone", () => !isRunning(Number(text)));
    expect(await call("pid", { session: handle })).toMatchObject(expired);
  });

  it("whose process dies is gone", async () => {
    const { text, handle } = await call("pid", { session: "new" });
    process.kill(Number(text), "SIGKILL");
    await until("the process is gone", () => !isRunning(Number(text)));
    await until(
      "the host knows",
      async () => (await call("pid", { session: handle })).status === 410,
    );
    expect(await call("pid", { session: handle })).toMatchObject(expired);
  });

  it("is not left behind by a call that fails", async () => {
    const started = () => gangway.host.log.filter(({ msg }) => msg === "run answered").length;
    const before = started();
    const failed = await call("absent", { session: "new" });
    expect(failed).toMatchObject({ status: 404, body: { error: { code: "TOOL_NOT_FOUND" } } });
    // The list that the name was looked up in, and the session's end.
    await until("the session was ended", () => started() >= before + 2);
  });

  it("is told before anything runs where it cannot be handed out", async () => {
    const config = [{ ...asker, name: "own" }];
    const other = await gangway.post("/v1/tools/call", {
      config: { tools: config },
      tool: "count",
      options: { session: "gws1.k1.x" },
    });
    expect(other).toMatchObject({ status: 400, body: { error: { code: "SESSION_INVALID" } } });
  });

  it("is not gone on with under other values than it began with", async () => {
    const env = { VALUE: "${VALUE}" };
    const body = (value: string, session: string) => ({
      config: { tools: [{ ...asker, name: "own", env }] },
      inputs: { VALUE: value },
      tool: "pid",
      options: { session, subject: "values" },
    });
    const { body: first } = await gangway.post("/v1/tools/call", body("value-one", "new"));
    const handle = String((first["metadata"] as { session: unknown }).session);
    const other = await gangway.post("/v1/tools/call", body("value-two", handle));
    expect(other).toMatchObject(expired);
    const same = await gangway.post("/v1/tools/call", body("value-one", handle));
    expect(same).toMatchObject({ status: 200, body: { content: first["content"] } });
  });
});
