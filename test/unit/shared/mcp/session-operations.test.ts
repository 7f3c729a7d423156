import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { operate } from "../../../../shared/mcp/operate.ts";
import { type McpOperation, operationSchema } from "../../../../shared/mcp/operation.ts";
import { McpSession } from "../../../../shared/mcp/session.ts";
import type { OperationOptions, SessionOptions } from "../../../../shared/mcp/session-types.ts";
import { type Script, ScriptedTransport } from "./scripted-transport.ts";

const handshake =
  (capabilities: Record<string, unknown>): Script =>
  ({ method }) =>
    method === "initialize"
      ? {
          result: {
            protocolVersion: "2025-11-25",
            capabilities,
            serverInfo: { name: "s", version: "1" },
          },
        }
      : undefined;

function open(script: Script, options: Partial<SessionOptions> = {}) {
  const transport = new ScriptedTransport(script);
  const session = new McpSession({
    name: "scripted",
    target: "npx scripted",
    protocol: "legacy",
    connectTimeoutMs: 1_000,
    openTransport: () => transport,
    ...options,
  });
  const run = (operation: McpOperation, more: Partial<OperationOptions> = {}) =>
    operate(session, operation, { timeoutMs: 1_000, ...more });
  const sent = (method: string) => transport.sent.filter((each) => each.method === method);
  return { session, transport, run, sent };
}

const always = (results: Record<string, Record<string, unknown>>, logging = false): Script => {
  const start = handshake(logging ? { logging: {} } : {});
  return (request) =>
    start(request) ?? (request.method === undefined ? undefined : results[request.method]);
};

describe("operate", () => {
  it.each([
    ["tools/list", "tools", { name: "a", inputSchema: {} }],
    ["prompts/list", "prompts", { name: "a" }],
    ["resources/list", "resources", { uri: "u:1", name: "a" }],
    ["resources/templates/list", "resourceTemplates", { uriTemplate: "u:{x}", name: "a" }],
  ] as const)("answers %s as one page that holds every item", async (method, member, item) => {
    const pages: Script = ({ params }) => ({
      result:
        params?.["cursor"] === "2"
          ? { [member]: [item] }
          : { [member]: [item, 5], nextCursor: "2" },
    });
    const { run } = open(
      (request) =>
        handshake({})(request) ?? (request.method === method ? pages(request) : undefined),
    );
    const { result, warnings } = await run({ method });
    expect(result).toEqual({ [member]: [item, item] });
    expect(warnings.map(({ code }) => code)).toEqual(["ITEM_UNREADABLE"]);
  });

  it("hands what continues an operation to the server", async () => {
    const { run, sent } = open(always({ "prompts/get": { result: { messages: [] } } }));
    const continuation = { inputResponses: { k: 1 }, requestState: "s" };
    await run({ method: "prompts/get", params: { name: "p", arguments: {}, ...continuation } });
    expect(sent("prompts/get")[0]?.params).toMatchObject({ name: "p", ...continuation });
  });

  it("decides by the list whether a prompt is missing", async () => {
    const refused = { error: { code: -32602, message: "no" } };
    const get = { method: "prompts/get", params: { name: "p", arguments: {} } } as const;
    for (const [prompts, code] of [
      [[], "PROMPT_NOT_FOUND"],
      [[{ name: "p" }], "INVALID_PARAMS"],
    ] as const) {
      const { run } = open(
        always({ "prompts/get": refused, "prompts/list": { result: { prompts } } }),
      );
      const failure: unknown = await run(get).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GatewayError);
      expect(failure).toMatchObject({ code, executed: "no" });
    }
  });
});

describe("a log level", () => {
  const list = { method: "tools/list" } as const;
  const results = { "tools/list": { result: { tools: [] } }, "logging/setLevel": { result: {} } };

  it("is told before the operation, once for each change", async () => {
    const { run, sent, transport } = open(always(results, true));
    await run(list, { logLevel: "info" });
    await run(list, { logLevel: "info" });
    await run(list, { logLevel: "error" });
    await run(list);
    expect(sent("logging/setLevel").map(({ params }) => params?.["level"])).toEqual([
      "info",
      "error",
    ]);
    const order = transport.sent.map(({ method }) => method).slice(2, 4);
    expect(order).toEqual(["logging/setLevel", "tools/list"]);
  });

  it("is never told to a server that does not say that it can log", async () => {
    const { run, sent } = open(always(results));
    await run(list, { logLevel: "info" });
    expect(sent("logging/setLevel")).toEqual([]);
  });

  it("that is refused does not fail the operation", async () => {
    const refused = { error: { code: -32603, message: "no" } };
    const { run } = open(always({ ...results, "logging/setLevel": refused }, true));
    expect(await run(list, { logLevel: "info" })).toMatchObject({ result: { tools: [] } });
  });
});

describe("a session that goes on", () => {
  it("sends its first operation without a handshake", async () => {
    class KeptTransport extends ScriptedTransport {
      readonly sessionId = "kept";
    }
    const transport = new KeptTransport(always({ "tools/list": { result: { tools: [] } } }));
    const resume = { protocolVersion: "2025-06-18", capabilities: {} };
    const { session, run } = open(() => undefined, { openTransport: () => transport, resume });
    expect(await run({ method: "tools/list" })).toMatchObject({ result: { tools: [] } });
    expect(transport.sent.map(({ method }) => method)).toEqual(["tools/list"]);
    expect(session.info).toMatchObject({
      era: "legacy",
      protocolVersion: "2025-06-18",
      prior: null,
    });
  });
});

describe("the model of operations", () => {
  it.each([
    [{ method: "tools/list" }, true],
    [{ method: "tools/call", params: { name: "a", arguments: {} } }, true],
    [{ method: "tools/call", params: { name: "a" } }, false],
    [{ method: "prompts/get", params: { name: "a", arguments: { x: 5 } } }, false],
    [{ method: "resources/read", params: { uri: "u:1" } }, true],
    [{ method: "completion/complete", params: { ref: { type: "ref/tool", name: "a" } } }, false],
    [{ method: "logging/setLevel", params: { level: "debug" } }, false],
  ])("takes %j: %s", (operation, expected) => {
    expect(operationSchema.safeParse(operation).success).toBe(expected);
  });
});
