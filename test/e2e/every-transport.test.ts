import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStream } from "../support/read-events.ts";
import { type Gangway, startGangway } from "../support/gangway.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../support/npm-registry.ts";
import { type StartedFixture, startFixture } from "../support/start-fixture.ts";

/** One offer, made by a server over each transport and in each era of HTTP. */
const programs = {
  "http legacy": { program: "transports/http-legacy.ts", transport: "http", path: "/mcp" },
  "http modern": { program: "transports/http-modern.ts", transport: "http", path: "/mcp" },
  sse: { program: "sse/sdk-server.ts", transport: "sse", path: "/sse" },
  websocket: { program: "websocket/sdk-server.ts", transport: "websocket", path: "/" },
} as const;
const protocols = { "http modern": "2026-07-28" } as const;
const others = ["http legacy", "http modern", "sse", "websocket"] as const;
type Transport = "stdio" | (typeof others)[number];

let gangway: Gangway;
let registry: NpmRegistry;
const started: StartedFixture[] = [];
const configs = new Map<Transport, Record<string, unknown>>();

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  gangway = await startGangway({ registry: registry.url });
  const launch = { command: "npx", args: ["-y", "-p", "@fixture/stdio@1.0.0", "same"] };
  configs.set("stdio", { name: "same", type: "mcp", ...launch });
  for (const [name, { program, transport, path }] of Object.entries(programs)) {
    const fixture = await startFixture(program, ["same"]);
    started.push(fixture);
    const url = `${fixture.url}${path}`;
    configs.set(name as Transport, {
      name: "same",
      type: "mcp",
      transport,
      protocol: name in protocols ? protocols["http modern"] : "legacy",
      url: transport === "websocket" ? url.replace(/^http/, "ws") : url,
    });
  }
});
afterAll(async () => {
  await gangway.close();
  await Promise.all([registry.close(), ...started.map((one) => one.close())]);
});

/** Members of an answer that tell of the one call, its transport or its era: these differ. */
const ofTheCall = new Set([
  "cached",
  "duration_ms",
  "era",
  // Of the server itself, which revision 2026-07-28 adds to each answer's `_meta`, here the only one.
  "meta",
  "protocol_version",
  "request_id",
  "timings_ms",
  "transport",
  "upstream_requests",
  "warm",
]);

/** How messages name the server: by what it was reached with. */
const target = /npx \S+ same|\w+:\/\/127\.0\.0\.1:\d+\S*/g;

function comparable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(target, "the server");
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !ofTheCall.has(name));
  return Object.fromEntries(entries.map(([name, member]) => [name, comparable(member)]));
}

async function answerOf(transport: Transport, path: string, body: object): Promise<unknown> {
  const config = configs.get(transport);
  const answer = await gangway.post(path, { config, ...body });
  return { status: answer.status, body: comparable(answer.body) };
}

async function eventsOf(transport: Transport, path: string, body: object): Promise<unknown> {
  const { rest } = await openStream(gangway, path, { config: configs.get(transport), ...body });
  const told = (await rest()).filter(({ event }) => event !== ":");
  return told.map(({ event, data }) => ({ event, data: comparable(data) }));
}

const call = (tool: string, args: object = {}) => ({ tool, arguments: args });

describe("the same answer comes over every transport", () => {
  it("though each is of its own era", async () => {
    const eras: unknown[] = [];
    for (const transport of ["stdio", ...others] as const) {
      const config = configs.get(transport);
      const { body } = await gangway.post("/v1/tools/call", { config, ...call("echo") });
      eras.push((body["metadata"] as Record<string, unknown>)["protocol_version"]);
    }
    const legacy = "2025-11-25";
    expect(eras).toEqual([legacy, legacy, "2026-07-28", legacy, legacy]);
  });

  it.each([
    ["a list of tools in pages", "/v1/tools/list", {}, { tools: { length: 7 } }],
    ["a text", "/v1/tools/call", call("echo", { text: "Grüße 漢字" }), { status: "ok" }],
    [
      "structured content",
      "/v1/tools/call",
      call("count", { n: 7 }),
      { structured_content: { n: 7 } },
    ],
    ["a failed tool", "/v1/tools/call", call("fail"), { success: false, status: "tool_error" }],
    ["every kind of block", "/v1/tools/call", call("blocks"), { content: { length: 5 } }],
    ["a tool's public name", "/v1/tools/call", call("odd-name--"), { status: "ok" }],
    [
      "an error of the server",
      "/v1/tools/call",
      call("refuse"),
      { error: { details: { rpc_code: -32050 } } },
    ],
    ["a list of resources", "/v1/resources/list", {}, { resources: { length: 3 } }],
    ["a list of templates", "/v1/resources/templates/list", {}, { success: true }],
    ["a text resource", "/v1/resources/read", { uri: "same:///a.txt" }, { success: true }],
    ["a binary resource", "/v1/resources/read", { uri: "same:///b.bin" }, { success: true }],
    ["a list of prompts", "/v1/prompts/list", {}, { prompts: { length: 3 } }],
    [
      "a prompt",
      "/v1/prompts/get",
      { prompt: "greet", arguments: { who: "Ada" } },
      { success: true },
    ],
    [
      "a completion",
      "/v1/complete",
      { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } },
      { completion: { values: ["Ada", "Alan"] } },
    ],
  ])("%s", async (_, path, body, expected) => {
    const first = await answerOf("stdio", path, body);
    expect(first).toMatchObject({ body: expected });
    for (const transport of others) {
      expect({ transport, answer: await answerOf(transport, path, body) }).toEqual({
        transport,
        answer: first,
      });
    }
  });

  it("progress and log records, as they come, then the result", async () => {
    const body = { ...call("steps", { steps: 3 }), options: { log_level: "info" } };
    const first = await eventsOf("stdio", "/v1/tools/call", body);
    expect((first as { event: string }[]).map(({ event }) => event)).toEqual([
      "accepted",
      ...[1, 2, 3].flatMap(() => ["progress", "log"]),
      "result",
    ]);
    for (const transport of others) {
      const events = await eventsOf(transport, "/v1/tools/call", body);
      expect({ transport, events }).toEqual({ transport, events: first });
    }
  });
});
