import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSealKey } from "../../shared/seal/seal-keys.ts";
import { type Gangway, startGangway } from "../support/gangway.ts";

let gangway: Gangway;

beforeAll(async () => {
  gangway = await startGangway({
    servers: [
      {
        name: "everything",
        type: "mcp",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-everything@2026.8.31"],
      },
    ],
    vars: { GANGWAY_SEAL_KEYS: makeSealKey("k1") },
  });
});
afterAll(() => gangway.close());

type Json = Record<string, unknown>;
type Questions = Record<string, { method: string; params: Json }>;

async function call(tool: string, capabilities: Json, fields: Json = {}) {
  const body = { server: "everything", tool, options: { capabilities }, ...fields };
  const { body: first } = await gangway.post("/v1/tools/call", body);
  expect(first).toMatchObject({ success: false, status: "input_required" });
  const answerAll = async (asked: Json, response: Json): Promise<Json> => {
    const keys = Object.keys(asked["input_requests"] as Questions);
    const input_responses = Object.fromEntries(keys.map((key) => [key, response]));
    const { request_state } = asked;
    const next = await gangway.post("/v1/tools/call", { ...body, request_state, input_responses });
    // The server asks for the roots by itself as well, soon after it was started.
    return next.body["status"] === "input_required" ? answerAll(next.body, response) : next.body;
  };
  return {
    question: Object.values(first["input_requests"] as Questions)[0],
    answer: async (response: Json) => {
      const told = await answerAll(first, response);
      return { ...told, text: JSON.stringify(told["content"]) };
    },
  };
}

describe("server-everything over stdio, which asks its client during a call", () => {
  it("gets a form filled in, and tells what was written", async () => {
    const form = await call("trigger-elicitation-request", { elicitation: {} });
    expect(form.question).toMatchObject({
      method: "elicitation/create",
      params: { requestedSchema: { properties: { name: { type: "string" } } } },
    });
    const content = { name: "Ada Lovelace", check: true };
    const told = await form.answer({ action: "accept", content });
    expect(told).toMatchObject({ success: true, status: "ok" });
    expect(told.text).toContain("Ada Lovelace");
  });

  it("goes on after a form that was declined", async () => {
    const form = await call("trigger-elicitation-request", { elicitation: {} });
    const told = await form.answer({ action: "decline" });
    expect(told).toMatchObject({ success: true });
    expect(told.text).toContain("declined");
  });

  it("gets the client's model to speak", async () => {
    const sampling = await call(
      "trigger-sampling-request",
      { sampling: {} },
      { arguments: { prompt: "Say hello.", maxTokens: 5 } },
    );
    expect(sampling.question).toMatchObject({
      method: "sampling/createMessage",
      params: { maxTokens: 5 },
    });
    const message = { role: "assistant", content: { type: "text", text: "Hello from afar." } };
    const told = await sampling.answer({ ...message, model: "any", stopReason: "endTurn" });
    expect(told).toMatchObject({ success: true });
    expect(told.text).toContain("Hello from afar.");
  });

  it("gets the client's roots", async () => {
    const listing = await call("get-roots-list", { roots: {} });
    expect(listing.question).toMatchObject({ method: "roots/list" });
    const told = await listing.answer({ roots: [{ uri: "file:///home/ada", name: "Ada's" }] });
    expect(told.text).toContain("file:///home/ada");
  });

  it("offers no such tool to a caller that can answer nothing", async () => {
    const { status, body } = await gangway.post("/v1/tools/call", {
      server: "everything",
      tool: "trigger-elicitation-request",
    });
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: "TOOL_NOT_FOUND" } });
    const listed = async (options: Json) => {
      const { body: answer } = await gangway.post("/v1/tools/list", { options });
      return (answer["tools"] as { name: string }[]).map(({ name }) => name);
    };
    const form = { capabilities: { elicitation: {} } };
    expect(await listed({})).not.toContain("trigger-elicitation-request");
    expect(await listed(form)).toContain("trigger-elicitation-request");
  });
});

describe("a session of server-everything over stdio", () => {
  it("keeps what a tool has switched on", async () => {
    const toggle = (options: Json) =>
      gangway.post("/v1/tools/call", {
        server: "everything",
        tool: "toggle-simulated-logging",
        options,
      });
    const first = await toggle({ session: "new" });
    expect(JSON.stringify(first.body["content"])).toContain("Started");
    const { session } = first.body["metadata"] as { session: string };
    const second = await toggle({ session });
    expect(JSON.stringify(second.body["content"])).toContain("Stopped");
    const apart = await toggle({ session: "new" });
    expect(JSON.stringify(apart.body["content"])).toContain("Started");
  });
});
