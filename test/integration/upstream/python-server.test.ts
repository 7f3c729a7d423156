import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { setUpPythonMcp } from "../../support/python-mcp-setup.ts";
import { openStream } from "../../support/read-events.ts";
import { type StartedFixture, startFixtureBy } from "../../support/start-fixture.ts";

const tools = ["echo", "image", "document", "weather", "nothing", "fail", "count"];
const pixel = /^iVBORw0KGgo[A-Za-z0-9+/]+=*$/;
// `steps` are those that the caller hears of: plain JSON has no room for them. `ways` are whether
// the server tells them apart from its answer: over streamable HTTP on a standing stream.
const http = { transport: "http", path: "/mcp", ways: [false, true] };
const forms = [
  { form: "streamable HTTP", ...http, args: ["streamable-http"], steps: [1, 2, 3] },
  {
    form: "HTTP in plain JSON",
    ...http,
    args: ["streamable-http", "stateless"],
    steps: [],
    ways: [false],
  },
  {
    form: "SSE",
    transport: "sse",
    path: "/sse",
    ways: [false, true],
    args: ["sse"],
    steps: [1, 2, 3],
  },
];

const python = await setUpPythonMcp();
const title = typeof python === "string" ? `not run: ${python}` : "through the whole product";

describe.skipIf(typeof python === "string")(`a server of Python's SDK, ${title}`, () => {
  let gangway: Gangway;
  beforeAll(async () => {
    gangway = await startGangway({ host: false });
  });
  afterAll(async () => gangway?.close());

  describe.each(forms)("over $form", ({ transport, path, args, steps, ways }) => {
    let server: StartedFixture;
    beforeAll(async () => {
      if (typeof python === "string") throw new TypeError(python);
      server = await startFixtureBy(python.command, "python/server.py", { args, env: python.env });
    });
    afterAll(async () => server?.close());

    const facts = { transport, era: "legacy", protocol_version: "2025-11-25", warnings: [] };
    const config = () => ({
      config: { name: "python", type: "mcp", transport, url: `${server.url}${path}` },
    });
    const call = async (tool: string, fields: Record<string, unknown> = {}) => {
      const { status, body } = await gangway.post("/v1/tools/call", {
        ...config(),
        tool,
        arguments: fields,
      });
      return { status, body };
    };

    it("lists all of its tools, each with its own schemas", async () => {
      const { body } = await gangway.post("/v1/tools/list", config());
      expect(body["servers"]).toMatchObject([{ name: "python", ok: true, ...facts }]);
      const listed = body["tools"] as Record<string, unknown>[];
      expect(listed.map(({ name }) => name)).toEqual(tools);
      expect(listed.find(({ name }) => name === "weather")).toMatchObject({
        qualified_name: "python__weather",
        description: "Structured content beside its text.",
        input_schema: { properties: { city: { type: "string" } }, required: ["city"] },
        output_schema: { properties: { celsius: { type: "number" } } },
      });
    });

    it("answers with the very text it was given", async () => {
      const text = "Grüße 😀\r\n\u2028 data: {}\n\n";
      expect(await call("echo", { text })).toMatchObject({
        status: 200,
        body: {
          success: true,
          status: "ok",
          content: [{ type: "text", text }],
          metadata: { server: "python", tool: "echo", ...facts },
        },
      });
    });

    it("keeps an image between its texts (case 40)", async () => {
      expect((await call("image")).body["content"]).toEqual([
        { type: "text", text: "before" },
        { type: "image", mime_type: "image/png", data: expect.stringMatching(pixel) },
        { type: "text", text: "after" },
      ]);
    });

    it("keeps uri, type, text and bytes of an embedded resource (case 42)", async () => {
      const text = "Grüße";
      const data = Buffer.from(text).toString("base64");
      expect((await call("document")).body["content"]).toMatchObject([
        { type: "binary", uri: "memo://one", mime_type: "text/plain", data, text },
      ]);
    });

    it("keeps structured content beside its text (case 40)", async () => {
      const { body } = await call("weather", { city: "Oslo" });
      const expected = { city: "Oslo", celsius: 21.5 };
      expect(body["structured_content"]).toEqual(expected);
      const [text, ...others] = body["content"] as { text: string }[];
      expect(JSON.parse(text?.text ?? "")).toEqual(expected);
      expect(others).toEqual([]);
    });

    it("tells no content as a success without any", async () => {
      expect((await call("nothing")).body).toMatchObject({
        success: true,
        status: "ok",
        content: [],
      });
    });

    it("tells a tool's own failure as a result, its text kept (case 41)", async () => {
      const text = expect.stringContaining("no such luck");
      expect(await call("fail")).toMatchObject({
        status: 200,
        body: {
          success: false,
          status: "tool_error",
          content: [{ type: "text", text }],
          error: { type: "ToolError", message: text },
        },
      });
    });

    it("tells arguments that its schema refuses as the tool's failure (case 41)", async () => {
      const { status, body } = await call("echo", { text: 5 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: false, status: "tool_error" });
    });

    it("serves the calls of one request on one connection, each with its own answer", async () => {
      const calls = Array.from({ length: 16 }, (_, n) => ({
        tool: "echo",
        arguments: { text: `m${n}` },
      }));
      const { body } = await gangway.post("/v1/tools/call", { ...config(), calls });
      expect(body["results"]).toMatchObject(
        calls.map(({ arguments: { text } }) => ({ success: true, content: [{ text }] })),
      );
    });

    it("reads its resource and expands its prompt", async () => {
      const read = await gangway.post("/v1/resources/read", { ...config(), uri: "memo://one" });
      expect(read.body).toMatchObject({ success: true });
      expect(JSON.stringify(read.body)).toContain("Grüße");
      const prompt = { ...config(), prompt: "greet", arguments: { name: "Ada" } };
      const got = await gangway.post("/v1/prompts/get", prompt);
      expect(got.body).toMatchObject({ success: true });
      expect(JSON.stringify(got.body)).toContain("Greet Ada.");
    });

    it.each(ways)("streams what it tells (apart from its answer: %s), each once", async (apart) => {
      const { response, rest } = await openStream(gangway, "/v1/tools/call", {
        ...config(),
        tool: "count",
        arguments: { to: 3, apart },
        options: { log_level: "info" },
      });
      expect(response.status).toBe(200);
      const events = await rest();
      const dataOf = (name: string) =>
        events.filter(({ event }) => event === name).map(({ data }) => data);
      expect(dataOf("progress")).toEqual(
        steps.map((step) => ({
          server: "python",
          progress: step,
          total: 3,
          message: `step ${step}`,
        })),
      );
      expect(dataOf("log")).toMatchObject(
        steps.map((step) => ({ server: "python", level: "info", data: `at ${step}` })),
      );
      expect(events.at(-1)).toMatchObject({
        event: "result",
        data: { success: true, content: [{ type: "text", text: "counted to 3" }] },
      });
    });
  });
});
