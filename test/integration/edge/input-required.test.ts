import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureToken, type FeatureGangway, startFeatures } from "../../support/features.ts";

let gangway: FeatureGangway;

beforeAll(async () => {
  gangway = await startFeatures();
});

afterAll(() => gangway.close());

const capabilities = { elicitation: { form: {} } };
const ask = {
  server: "modern",
  tool: "ask",
  arguments: { b: 1, a: [2] },
  options: { capabilities },
};
const answer = (name: string) => ({ action: "accept", content: { name } });

async function asked(): Promise<Record<string, unknown>> {
  const { status, body } = await gangway.post("/v1/tools/call", ask);
  expect({ status, code: body["status"] }).toEqual({ status: 200, code: "input_required" });
  return body;
}

describe("a server that asks for input", () => {
  it("is answered over several requests, its state passing through sealed", async () => {
    const first = await asked();
    expect(first).toMatchObject({
      success: false,
      content: [],
      input_requests: { first: { method: "elicitation/create" } },
    });
    const state = String(first["request_state"]);
    expect(state).toMatch(/^gws1\./);
    expect(Date.parse(String(first["expires_at"]))).toBeGreaterThan(Date.now());

    const second = await gangway.post("/v1/tools/call", {
      ...ask,
      input_responses: { first: answer("Ada") },
      request_state: state,
    });
    expect(second.body).toMatchObject({ status: "input_required", input_requests: { second: {} } });

    // The order of an object's keys does not count.
    const last = await gangway.post("/v1/tools/call", {
      ...ask,
      arguments: { a: [2], b: 1 },
      input_responses: { second: answer("Grace") },
      request_state: second.body["request_state"],
    });
    expect(last.body).toMatchObject({ success: true, status: "ok" });
    const [block] = last.body["content"] as { text: string }[];
    expect(JSON.parse(block?.text ?? "")).toMatchObject({
      args: { a: [2], b: 1 },
      first: { first: answer("Ada") },
      second: { second: answer("Grace") },
    });
  });

  it("tells no secret by its questions, nor by its state (case 27)", async () => {
    const body = JSON.stringify(await asked());
    expect(body).toContain("The first name?");
    expect(body).not.toContain(featureToken);
  });

  it.each([
    ["other arguments", { arguments: { a: [3], b: 1 } }],
    ["another tool", { tool: "echo" }],
    ["another subject", { options: { capabilities, subject: "someone-else" } }],
    ["another server", { server: "legacy" }],
    ["a changed state", { request_state: "gws1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["no state of ours", { request_state: "begun" }],
  ])("is not continued with %s", async (_name, changes) => {
    const { request_state } = await asked();
    const input = { input_responses: { first: answer("Ada") }, request_state };
    const { status, body } = await gangway.post("/v1/tools/call", { ...ask, ...input, ...changes });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: "REQUEST_STATE_INVALID", executed: "no" } });
  });

  it("is not continued without its state", async () => {
    const body = { ...ask, input_responses: { first: answer("Ada") } };
    expect((await gangway.post("/v1/tools/call", body)).body).toMatchObject({
      error: { code: "REQUEST_INVALID" },
    });
  });

  it("asks nothing of a caller that cannot answer", async () => {
    const { body } = await gangway.post("/v1/tools/call", { ...ask, options: {} });
    expect(body).toMatchObject({ success: false, error: { details: { rpc_code: -32021 } } });
  });
});

describe("a server of the legacy era that asks the client's model", () => {
  it("is refused by the protocol's own error, and goes on", async () => {
    const { body } = await gangway.post("/v1/tools/call", { ...ask, server: "legacy" });
    expect(body).toMatchObject({ success: true, content: [{ type: "text", text: "refused" }] });
  });
});

describe("without seal keys", () => {
  let bare: FeatureGangway;
  beforeAll(async () => {
    bare = await startFeatures({ vars: { GANGWAY_SEAL_KEYS: "" }, host: false });
  });
  afterAll(() => bare.close());

  it("only what needs them fails, and says so", async () => {
    expect((await fetch(`${bare.url}/ready`)).status).toBe(200);
    const echo = await bare.post("/v1/tools/call", { server: "modern", tool: "echo" });
    expect(echo.body).toMatchObject({ success: true });
    for (const body of [ask, { server: "legacy", tool: "count", options: { session: "new" } }]) {
      const refused = await bare.post("/v1/tools/call", body);
      expect(refused.status).toBe(503);
      expect(refused.body).toMatchObject({
        error: {
          code: "NOT_READY",
          message: expect.stringContaining("GANGWAY_SEAL_KEYS"),
          hint: expect.stringContaining("/ready"),
          retryable: false,
        },
      });
    }
  });
});
