import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSealKey } from "../../../shared/seal/seal-keys.ts";
import { waitingStatePrefix } from "../../../shared/run-contract/contract.ts";
import recorded from "../../fixtures/run-contract/exchanges-of-0.1.json" with { type: "json" };
import { runEventSchema, runRequestSchema } from "../../fixtures/run-contract/schemas-of-0.1.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

type Json = Record<string, unknown>;
const exchanges = recorded.exchanges as { name: string; request: Json; events: Json[] }[];
const exchangeOf = (name: string) => {
  const found = exchanges.find((exchange) => exchange.name === name);
  if (found === undefined) throw new TypeError(`nothing was recorded as ${name}`);
  return found;
};

describe("an edge of version 0.1.0", () => {
  let registry: NpmRegistry;
  let host: StartedHost;
  beforeAll(async () => {
    registry = await startNpmRegistry([stdioFixtures()]);
    host = await startHost({ environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url } });
  });
  afterAll(async () => {
    await host.dispose();
    await registry.close();
  });

  it.each(exchanges)("gets $name answered as it was then", async ({ request, events }) => {
    const answered = await linesOf(host, request);
    for (const event of answered) expect(runEventSchema.parse(event)).toEqual(event);
    // Fields may be added; what was there is there, but for the times.
    expect(answered).toMatchObject(events.map(untimed));
  });

  it("continues a call that waits as it does a modern server's, and makes it once", async () => {
    const request = {
      ...exchangeOf("a tool call").request,
      client_capabilities: { elicitation: {} },
    };
    const call = (params: Json) =>
      linesOf(host, {
        ...request,
        launch: { ...(request as { launch?: Json }).launch, bin: "asker" },
        operation: { method: "tools/call", params: { name: "stall", arguments: {}, ...params } },
        limits: {
          ...(request as { limits?: Json }).limits,
          call_ms: 1500,
          progress_extends_to_ms: 1500,
        },
      });
    const asked = runEventSchema.parse((await call({})).at(-1));
    expect(asked).toMatchObject({ event: "result", result: { resultType: "input_required" } });
    const state = asked.event === "result" ? asked.result["requestState"] : null;
    const last = (await call({ requestState: state, inputResponses: { q1: {} } })).at(-1);
    expect(last).toMatchObject({ event: "error", error: { code: "REQUEST_TIMEOUT" } });
    const again = (await call({ requestState: state, inputResponses: { q1: {} } })).at(-1);
    expect(again).toMatchObject({ error: { code: "REQUEST_STATE_USED", executed: "maybe" } });
  });
});

/** Answers runs with recorded lines, and refuses what a host of version 0.1.0 refuses. */
class RecordedHost {
  readonly requests: Json[] = [];
  /** Runs whose caller broke off before the end. */
  brokenOff = 0;
  /** The name of the exchange that is replayed; the last event waits while `held` does. */
  replays = "a tool call";
  held: Promise<void> = Promise.resolve();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, response) => void this.#answer(incoming, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: unknown = JSON.parse(await textOf(incoming));
    this.requests.push(request as Json);
    if (!runRequestSchema.safeParse(request).success) {
      const { status, body } = recorded.refusal;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
      return;
    }
    response.on("close", () => (this.brokenOff += response.writableFinished ? 0 : 1));
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const { events } = exchangeOf(this.replays);
    for (const event of events.slice(0, -1)) response.write(`${JSON.stringify(event)}\n`);
    await this.held;
    response.end(`${JSON.stringify(events.at(-1))}\n`);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("a host of version 0.1.0", () => {
  const host = new RecordedHost();
  let gangway: Gangway;
  beforeAll(async () => {
    const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    gangway = await startGangway({
      host: false,
      servers: [{ name: "old", type: "mcp", command: "npx", args: ["-y", "@fixture/stdio@1.0.0"] }],
      vars: {
        GANGWAY_HOST_URL: await host.start(),
        GANGWAY_TICKET_KEY: JSON.stringify(await exportJWK(privateKey)),
        GANGWAY_SEAL_KEYS: makeSealKey("k1"),
      },
    });
  });
  afterAll(async () => {
    await gangway.close();
    host.close();
  });

  const call = (fields: Json = {}) =>
    gangway.post("/v1/tools/call", { server: "old", tool: "talk", ...fields });

  it("understands what is asked of it, and is understood", async () => {
    host.replays = "a tool call";
    const options = { log_level: "debug", capabilities: { elicitation: {} } };
    expect(await call({ options })).toMatchObject({
      status: 200,
      body: { success: true, content: [{ text: "talked" }], metadata: { session: null } },
    });
    host.replays = "a tool that fails";
    expect(await call()).toMatchObject({
      status: 502,
      body: { error: { code: "PROCESS_EXITED", executed: "maybe" } },
    });
    host.replays = "a list";
    const { body } = await gangway.post("/v1/tools/list", {});
    expect(body).toMatchObject({ success: true, servers: [{ ok: true }] });
    for (const request of host.requests) expect(runRequestSchema.parse(request)).toEqual(request);
  });

  it("serves no run of a session without it: the run is broken off", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    host.replays = "a tool call";
    host.held = promise;
    const answer = await call({ options: { session: "new" } });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: { code: "SESSION_UNSUPPORTED", executed: "maybe", details: { reason: "host" } },
      },
    });
    await expect.poll(() => host.brokenOff).toBeGreaterThan(0);
    resolve();
    host.held = Promise.resolve();
  });

  it("is never asked to make a call anew that waited at its successor", async () => {
    const waiting = exchangeOf("a tool call");
    const state = `${waitingStatePrefix}gone-with-the-host`;
    const inputRequests = { q1: { method: "elicitation/create", params: {} } };
    const result = { resultType: "input_required", inputRequests, requestState: state };
    exchanges.push({
      ...waiting,
      name: "questions",
      events: [...waiting.events.slice(0, -1), { ...waiting.events.at(-1), result }],
    });
    host.replays = "questions";
    const options = { capabilities: { elicitation: {} } };
    const { body } = await call({ options });
    expect(body).toMatchObject({ status: "input_required" });
    const answer = { request_state: body["request_state"], input_responses: { q1: {} } };
    expect(await call({ options, ...answer })).toMatchObject({
      status: 502,
      body: { error: { code: "HOST_UNAVAILABLE", executed: "no" } },
    });
    expect(host.requests.at(-1)).toMatchObject({ operation: { method: "continue" } });
  });
});

function untimed(event: Json): Json {
  return "timings_ms" in event ? { ...event, timings_ms: expect.any(Object) } : event;
}

async function linesOf(host: StartedHost, request: Json): Promise<Json[]> {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const response = await fetch(`${host.url}/v1/run`, {
    method: "POST",
    body,
    headers: {
      authorization: `Bearer ${await host.sign(body)}`,
      "content-type": "application/json",
    },
  });
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
