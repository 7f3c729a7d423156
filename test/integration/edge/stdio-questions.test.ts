import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSealKey } from "../../../shared/seal/seal-keys.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { openStream } from "../../support/read-events.ts";

let registry: NpmRegistry;
let gangway: Gangway;

const token = "token-4711-secret";
const bin = (name: string, program: string, fields = {}) => ({
  name,
  type: "mcp",
  command: "npx",
  args: ["-y", "-p", "@fixture/stdio@1.0.0", program],
  ...fields,
});

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  gangway = await startGangway({
    registry: registry.url,
    servers: [
      bin("asker", "asker", { env: { TOKEN: "${TOKEN}" } }),
      bin("modern", "modern", { protocol: "2026-07-28" }),
    ],
    vars: { GANGWAY_SEAL_KEYS: makeSealKey("k1"), GW_SECRET_TOKEN: token },
    hostEnvironment: {
      GANGWAY_HOST_STOP_GRACE_MS: "200",
      GANGWAY_HOST_MAX_PROCESSES: "40",
      GANGWAY_HOST_MAX_HELD: "20",
      GANGWAY_HOST_MAX_HELD_BY_ONE: "20",
    },
  });
});
afterAll(async () => {
  await gangway.close();
  await registry.close();
});

const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const call = (tool: string, options: Record<string, unknown> = { capabilities }, args = {}) => ({
  server: "asker",
  tool,
  arguments: args,
  options,
});
const post = (body: Record<string, unknown>) => gangway.post("/v1/tools/call", body);
const accepted = (name: string) => ({ action: "accept", content: { name } });

async function asked(body: Record<string, unknown>) {
  const answer = await post(body);
  expect(answer).toMatchObject({ status: 200, body: { status: "input_required", success: false } });
  return answer.body;
}

const next = (body: Record<string, unknown>, state: unknown, input: Record<string, unknown>) => ({
  ...body,
  request_state: state,
  input_responses: input,
});

function answersOf({ body }: { body: Record<string, unknown> }): unknown[] {
  const [block] = body["content"] as { text: string }[];
  return JSON.parse(block?.text ?? "");
}

describe("a stdio server of the legacy era that asks during a call", () => {
  it("is answered over several requests, while the call waits in its process", async () => {
    const body = call("ask", undefined, { a: 1, b: 2 });
    const first = await asked(body);
    expect(first).toMatchObject({
      content: [],
      input_requests: {
        q1: {
          method: "elicitation/create",
          params: { message: expect.stringMatching(/^First\? \S/) },
        },
      },
      metadata: { era: "legacy", session: null },
    });
    expect(JSON.stringify(first)).not.toContain(token);
    const waits = Date.parse(String(first["expires_at"])) - Date.now();
    expect(waits).toBeGreaterThan(200_000);
    expect(waits).toBeLessThanOrEqual(300_000);
    const second = await asked(next(body, first["request_state"], { q1: accepted("Ada") }));
    expect(second).toMatchObject({ input_requests: { q2: { params: { message: "Second?" } } } });
    const last = await post(
      next({ ...body, arguments: { b: 2, a: 1 } }, second["request_state"], {
        q2: { action: "decline" },
      }),
    );
    expect(last.body).toMatchObject({ success: true, status: "ok" });
    expect(answersOf(last)).toEqual([{ a: 1, b: 2 }, accepted("Ada"), { action: "decline" }]);
  });

  it("asks in a stream as well", async () => {
    const { rest } = await openStream(gangway, "/v1/tools/call", call("ask"));
    const events = await rest();
    expect(events.at(-1)).toMatchObject({
      event: "result",
      data: { status: "input_required", input_requests: { q1: {} } },
    });
  });

  it.each([
    ["other arguments", { arguments: { a: 3 } }],
    ["another tool", { tool: "count" }],
    ["another subject", { options: { capabilities, subject: "someone-else" } }],
    ["another server", { server: "modern" }],
  ])("is not answered by %s", async (_name, changes) => {
    const body = call("ask");
    const { request_state } = await asked(body);
    const foreign = await post(
      next({ ...body, ...changes }, request_state, { q1: accepted("Eve") }),
    );
    expect(foreign).toMatchObject({
      status: 400,
      body: { error: { code: "REQUEST_STATE_INVALID", executed: "no" } },
    });
    expect(await asked(next(body, request_state, { q1: accepted("Ada") }))).toMatchObject({
      input_requests: { q2: {} },
    });
  });

  it("is answered once", async () => {
    const body = call("ask");
    const first = await asked(body);
    const answer = next(body, first["request_state"], { q1: accepted("Ada") });
    await asked(answer);
    expect(await post(answer)).toMatchObject({
      status: 409,
      body: { error: { code: "REQUEST_STATE_USED", executed: "maybe", retryable: false } },
    });
  });

  it("may ask in a session, which goes on", async () => {
    const body = call("ask", { capabilities, session: "new" });
    const first = await asked(body);
    const session = (first["metadata"] as { session: string }).session;
    const counted = await post(call("count", { session }));
    expect(counted.body).toMatchObject({ content: [{ text: "1" }] });
    const second = await asked(next(body, first["request_state"], { q1: accepted("Ada") }));
    const handle = (second["metadata"] as { session: string }).session;
    expect((await post(call("count", { session: handle }))).body).toMatchObject({
      content: [{ text: "2" }],
    });
    const last = await post(next(body, second["request_state"], { q2: accepted("Grace") }));
    expect(answersOf(last).slice(1)).toEqual([accepted("Ada"), accepted("Grace")]);
  });

  it("is refused by the protocol's own answers where the caller can answer nothing", async () => {
    const answer = await post(call("each", {}));
    expect(answersOf(answer)).toEqual([{ action: "cancel" }, { error: -1 }, { error: -32_601 }]);
    const { warnings } = answer.body["metadata"] as { warnings: { code: string }[] };
    expect(warnings.map(({ code }) => code)).toContain("QUESTION_REFUSED");
  });

  it("that dies while it waits fails the answer, not before", async () => {
    const body = call("die");
    const { request_state } = await asked(body);
    const failed = await post(next(body, request_state, { q1: accepted("Ada") }));
    expect(failed).toMatchObject({
      status: 502,
      body: { error: { code: "PROCESS_EXITED", executed: "maybe", details: { exit_code: 7 } } },
    });
  });
});

describe("the list of a stdio server that offers a tool to callers that can answer", () => {
  const listOf = async (options: Record<string, unknown>) => {
    const { body } = await gangway.post("/v1/tools/list", { servers: ["asker"], options });
    const [server] = body["servers"] as Record<string, unknown>[];
    const names = (body["tools"] as { name: string }[]).map(({ name }) => name);
    return { offered: names.includes("form-only"), tools: names.length, server };
  };
  const form = { capabilities: { elicitation: {} } };

  it("has it for those that declare as much, whoever listed before", async () => {
    const [plain, asks] = [{ offered: false }, { offered: true }];
    expect(await listOf({})).toMatchObject({ ...plain, server: { cached: false } });
    expect(await listOf(form)).toMatchObject({ ...asks, server: { cached: false } });
    expect(await listOf({})).toMatchObject({ ...plain, server: { cached: true } });
    expect(await listOf(form)).toMatchObject({ ...asks, server: { cached: true } });
  });

  it("does not come from a call that looked for a name", async () => {
    const subject = "looks-for-names";
    await post(call("no-such-tool", { ...form, subject }));
    expect(await listOf({ subject })).toMatchObject({ offered: false });
  });

  it("is whole where the server asks before it lists: nothing is asked of the caller", async () => {
    const listed = await listOf({ capabilities });
    expect(listed).toMatchObject({
      offered: true,
      server: { ok: true, warnings: [{ code: "QUESTION_REFUSED" }] },
    });
  });
});

describe("a stdio server of the modern era that asks", () => {
  it("gets its own state back, sealed on the way", async () => {
    const body = { ...call("ask"), server: "modern" };
    const first = await asked(body);
    expect(first).toMatchObject({
      input_requests: { name: { method: "elicitation/create" } },
      metadata: { era: "modern", protocol_version: "2026-07-28" },
    });
    const last = await post(next(body, first["request_state"], { name: accepted("Ada") }));
    expect(answersOf(last)).toEqual([{ name: accepted("Ada") }, "gww1.the server's own"]);
  });
});
