import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  featureToken,
  type FeatureGangway,
  startFeatures,
  within,
} from "../../support/features.ts";
import { promptMs } from "../../support/promptness.ts";
import { openStream, type StreamedEvent } from "../../support/read-events.ts";

let gangway: FeatureGangway;

beforeAll(async () => {
  gangway = await startFeatures();
});

afterAll(() => gangway.close());

const remote = [["legacy"], ["modern"]] as const;
const servers = [...remote, ["stdio"]] as const;

/** Every event, without the comments after the first. */
async function eventsOf(path: string, body: unknown): Promise<StreamedEvent[]> {
  const { response, rest } = await openStream(gangway, path, body);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return (await rest()).filter(({ event }, index) => index === 0 || event !== ":");
}

const named = (events: readonly StreamedEvent[], name: string) =>
  events.filter(({ event }) => event === name);
const dataOf = (events: readonly StreamedEvent[], name: string) =>
  named(events, name).map(({ data }) => data);

describe("a stream", () => {
  it("begins with a comment and `accepted`, and ends with the result", async () => {
    const events = await eventsOf("/v1/tools/call", {
      server: "legacy",
      tool: "echo",
      arguments: { a: 1 },
    });
    expect(events.map(({ event }) => event)).toEqual([":", "accepted", "result"]);
    expect(events.at(-1)?.data).toMatchObject({
      success: true,
      status: "ok",
      metadata: { server: "legacy" },
    });
    expect(events[1]?.data).toEqual({ request_id: expect.stringMatching(/.{8}/) });
  });

  it("is no stream where nothing was contacted yet: the error is plain JSON", async () => {
    for (const [body, status] of [
      [{ server: "nobody", tool: "echo" }, 404],
      [{ server: "legacy", tool: 5 }, 400],
      [
        {
          config: { name: "x", type: "mcp", transport: "http", url: "https://10.0.0.1/" },
          tool: "t",
        },
        403,
      ],
    ] as const) {
      const { response } = await openStream(gangway, "/v1/tools/call", body);
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toContain("application/json");
      expect(await response.json()).toMatchObject({ success: false });
    }
  });

  it("ends with `error` and its HTTP status where a server was contacted", async () => {
    const events = await eventsOf("/v1/tools/call", { server: "legacy", tool: "nope" });
    expect(events.at(-1)).toMatchObject({
      event: "error",
      data: {
        success: false,
        http_status: 404,
        error: { code: "TOOL_NOT_FOUND", server: "legacy" },
        metadata: { request_id: expect.any(String) },
      },
    });
  });

  it.each([
    ["/v1/tools/list", { servers: ["legacy"] }],
    ["/v1/prompts/list", {}],
    ["/v1/resources/list", {}],
    ["/v1/resources/templates/list", {}],
    ["/v1/prompts/get", { server: "legacy", prompt: "greet" }],
    ["/v1/resources/read", { server: "modern", uri: "file:///a.txt" }],
    [
      "/v1/complete",
      {
        server: "legacy",
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "who", value: "A" },
      },
    ],
    [
      "/v1/tools/call",
      {
        calls: [
          { server: "legacy", tool: "echo" },
          { server: "nobody", tool: "echo" },
        ],
      },
    ],
  ])("is to be had of %s", async (path, body) => {
    const events = await eventsOf(path, body);
    expect(events.at(-1)?.event).toBe("result");
    const plain = await gangway.post(path, body);
    const { metadata: _, servers: __, ...rest } = plain.body;
    expect(events.at(-1)?.data).toMatchObject(
      path.endsWith("list") || path.endsWith("call") ? { success: rest["success"] } : rest,
    );
  });

  it("comes only to who asks for it", async () => {
    for (const accept of [
      "*/*",
      "application/json",
      "application/json, text/event-stream",
      "text/event-stream;q=0.5, application/json",
    ]) {
      const response = await fetch(`${gangway.url}/v1/prompts/list`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${gangway.key}`,
          "content-type": "application/json",
          accept,
        },
        body: JSON.stringify({ servers: ["legacy"] }),
      });
      expect(response.headers.get("content-type")).toContain("application/json");
      await response.body?.cancel();
    }
  });
});

describe.each(servers)("the progress of a call (%s)", (server) => {
  it("is told while the call goes on (case 39)", async () => {
    const { events } = await openStream(gangway, "/v1/tools/call", { server, tool: "held" });
    const seen: string[] = [];
    for await (const { event } of events) {
      if (event !== ":") seen.push(event);
      // The call ends only because its progress has come through.
      if (event === "progress") await gangway.post("/v1/tools/call", { server, tool: "release" });
    }
    expect(seen).toEqual(["accepted", "progress", "result"]);
  });

  it("is told with its numbers and its message", async () => {
    const body = { server, tool: "steps", arguments: { steps: 3, ms: 10 } };
    expect(dataOf(await eventsOf("/v1/tools/call", body), "progress")).toEqual(
      [1, 2, 3].map((progress) => ({ server, progress, total: 3, message: `step ${progress}` })),
    );
  });

  it("starts the time limit anew (case 35)", async () => {
    const body = {
      server,
      tool: "steps",
      arguments: { steps: 5, ms: 500 },
      options: { timeout_s: 2 },
    };
    expect((await gangway.post("/v1/tools/call", body)).body).toMatchObject({ success: true });
  });

  it("comes at most ten times a second; the rest is counted", async () => {
    const body = { server, tool: "steps", arguments: { steps: 40, ms: 0 } };
    const startedAt = performance.now();
    const events = await eventsOf("/v1/tools/call", body);
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    const told = named(events, "progress").length;
    const { dropped } = (events.at(-1)?.data["metadata"] ?? {}) as {
      dropped?: Record<string, number>;
    };
    expect(told).toBeLessThanOrEqual(10 * seconds);
    expect(told + (dropped?.["progress"] ?? 0)).toBe(40);
  });

  it("names its call where there are several", async () => {
    const call = (steps: number) => ({ server, tool: "steps", arguments: { steps, ms: 50 } });
    const events = await eventsOf("/v1/tools/call", { calls: [call(1), call(2)] });
    const places = dataOf(events, "progress").map(({ call: place, total }) =>
      JSON.stringify([place, total]),
    );
    expect(places.toSorted((a, b) => a.localeCompare(b))).toEqual(["[0,1]", "[1,2]", "[1,2]"]);
  });
});

describe.each(servers)("the log of a server (%s)", (server) => {
  const talk = (records: number, level: string) => ({
    server,
    tool: "talk",
    arguments: { records, data: { token: featureToken } },
    options: { log_level: level },
  });

  it("comes from the level on that was asked for, mapped and masked (case 27)", async () => {
    const events = await eventsOf("/v1/tools/call", talk(8, "notice"));
    const records = dataOf(events, "log");
    expect(records.map(({ level, mcp_level }) => [level, mcp_level])).toEqual([
      ["info", "notice"],
      ["warning", "warning"],
      ["error", "error"],
      ["critical", "critical"],
      ["critical", "alert"],
      ["critical", "emergency"],
    ]);
    expect(records[0]).toMatchObject({ server, logger: "features" });
    expect(JSON.stringify(events)).not.toContain(featureToken);
  });

  it("stands in the metadata of an answer that is no stream", async () => {
    const { body } = await gangway.post("/v1/tools/call", talk(2, "debug"));
    expect(body).toMatchObject({
      metadata: {
        logs: [
          { level: "debug", mcp_level: "debug" },
          { level: "info", mcp_level: "info" },
        ],
      },
    });
    expect(JSON.stringify(body)).not.toContain(featureToken);
  });

  it("is left out where nobody asked for it", async () => {
    const body = { server, tool: "talk", arguments: { records: 8 } };
    expect(named(await eventsOf("/v1/tools/call", body), "log")).toEqual([]);
    expect((await gangway.post("/v1/tools/call", body)).body["metadata"]).not.toHaveProperty(
      "logs",
    );
  });

  it("passes fifty records a second; the rest is counted", async () => {
    const startedAt = performance.now();
    const events = await eventsOf("/v1/tools/call", talk(160, "debug"));
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    const told = named(events, "log").length;
    const { dropped } = (events.at(-1)?.data["metadata"] ?? {}) as {
      dropped?: Record<string, number>;
    };
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThanOrEqual(50 * seconds);
    expect(told + (dropped?.["log"] ?? 0)).toBe(160);
  });
});

describe.each(servers)("what else a server tells (%s)", (server) => {
  it("comes as `catalogue_changed` and `notification`", async () => {
    const events = await eventsOf("/v1/tools/call", { server, tool: "change" });
    expect(dataOf(events, "catalogue_changed")).toEqual([{ server, list: "tools" }]);
    expect(dataOf(events, "notification")).toEqual([
      { server, method: "notifications/resources/updated", params: { uri: "file:///a.txt" } },
    ]);
  });
});

describe.each(remote)("a reader that goes away (%s)", (server) => {
  it("cancels the call at the server (case 38)", async () => {
    const fixture = server === "legacy" ? gangway.legacy : gangway.modern;
    const before = await gangway.observed(fixture);
    const stream = await openStream(gangway, "/v1/tools/call", { server, tool: "wait" });
    await within(5_000, async () => (await gangway.observed(fixture)).waiting > before.waiting);
    stream.abort();
    const cancelled = async () => (await gangway.observed(fixture)).cancelled > before.cancelled;
    expect(await within(promptMs, cancelled)).toBeLessThan(promptMs);
  });
});

describe("a reader that goes away from a stdio server", () => {
  it("cancels the call at the server (case 38)", async () => {
    const count = async (what: string) =>
      (await gangway.stdioLines()).filter((line) => line === what).length;
    const before = await count("waiting");
    const stream = await openStream(gangway, "/v1/tools/call", { server: "stdio", tool: "wait" });
    await within(10_000, async () => (await count("waiting")) > before);
    stream.abort();
    const cancelled = async () => (await count("cancelled")) > 0;
    expect(await within(promptMs, cancelled)).toBeLessThan(promptMs);
  });
});

describe("an idle stream", () => {
  it("gets comments and no event that nobody knows (case 37)", async () => {
    const body = { server: "modern", tool: "steps", arguments: { steps: 1, ms: 1_200 } };
    const { rest } = await openStream(gangway, "/v1/tools/call", body);
    const names = (await rest()).map(({ event }) => event);
    expect(names.filter((name) => name === ":").length).toBeGreaterThan(2);
    expect(names.filter((name) => name !== ":")).toEqual(["accepted", "progress", "result"]);
  });
});
