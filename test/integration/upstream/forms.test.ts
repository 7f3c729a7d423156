import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";
import { httpSession } from "./http-session.ts";

const limits = { timeoutMs: 5_000 };
const form = {
  type: "object",
  properties: {
    name: { type: "string", default: "Ada" },
    age: { type: "integer", default: 30 },
    note: { type: "string" },
  },
  required: ["name"],
};
const unanswerable = { ...form, required: ["note"] };
/** As the edge opens a session for a caller who lets forms be filled in. */
const options = [{ protocol: "legacy", fillsForms: true }, { listens: true }] as const;

let server: StartedFixture;
beforeAll(async () => {
  server = await startFixture("http/legacy-server.ts");
});
afterAll(async () => server.close());

describe.each(["call", "standing"])("a legacy server that asks on the %s stream", (on) => {
  it.each([
    [form, { action: "accept", content: { name: "Ada", age: 30 } }],
    [unanswerable, { action: "cancel" }],
  ])("is answered by the form's defaults", async (requestedSchema, answer) => {
    await using open = httpSession(server.url, ...options);
    const { result } = await open.session.callTool("ask", { on, requestedSchema }, limits);
    expect(result["content"]).toEqual([{ type: "text", text: JSON.stringify(answer) }]);
    // initialize, initialized, the standing stream, the call and its answer to the form
    expect(open.transports[0]?.upstreamRequests).toBe(5);
  });
});

describe("a legacy server that asks a caller who declared nothing", () => {
  it("gets the protocol's own refusal", async () => {
    await using open = httpSession(server.url, { protocol: "legacy" });
    const asked = { on: "call", requestedSchema: form };
    const { result } = await open.session.callTool("ask", asked, limits);
    expect(result["content"]).toEqual([{ type: "text", text: "refused: -32601" }]);
    expect(open.transports[0]?.upstreamRequests).toBe(4);
  });
});

describe("the standing stream", () => {
  interface Listened {
    readonly url: string;
    /** `Last-Event-ID` of each GET. */
    readonly asked: (string | undefined)[];
    readonly close: () => void;
  }

  /** A server whose standing stream is as `listen` has it, and whose tool answers at once. */
  async function serve(listen: (response: ServerResponse, nth: number) => void): Promise<Listened> {
    const asked: (string | undefined)[] = [];
    const http = createServer((request, response) => {
      if (request.method === "GET") {
        asked.push(request.headers["last-event-id"]?.toString());
        return listen(response, asked.length);
      }
      if (request.method !== "POST") return void response.writeHead(200).end();
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { id, method } = JSON.parse(body) as { id?: number; method: string };
        if (id === undefined) return void response.writeHead(202).end();
        const serverInfo = { name: "s", version: "1" };
        const result =
          method === "initialize"
            ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo }
            : { content: [] };
        response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    return {
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
      asked,
      close: () => {
        http.closeAllConnections();
        http.close();
      },
    };
  }

  const events = { "content-type": "text/event-stream" };

  it("may be refused, and is then not asked for again", async () => {
    const fixture = await serve((response) => void response.writeHead(405).end());
    await using open = httpSession(fixture.url, ...options);
    await open.session.callTool("known", {}, limits);
    await open.session.callTool("known", {}, limits);
    expect(fixture.asked).toEqual([undefined]);
    expect(open.exceptions).toEqual([]);
    fixture.close();
  });

  it("holds up no call when its head does not come", async () => {
    const fixture = await serve(() => undefined);
    await using open = httpSession(fixture.url, ...options);
    await open.session.callTool("known", {}, { timeoutMs: 10_000 });
    expect(fixture.asked).toEqual([undefined]);
    fixture.close();
  });

  it("is taken up after its last event, twice at most", async () => {
    const fixture = await serve((response, nth) => {
      response.writeHead(200, events);
      response.end(
        `id: e${nth}\nretry: 10\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n`,
      );
    });
    await using open = httpSession(fixture.url, ...options);
    await open.session.callTool("known", {}, limits);
    await expect.poll(() => fixture.asked).toEqual([undefined, "e1", "e2"]);
    await expect.poll(() => open.notifications.length).toBe(3);
    fixture.close();
  });

  it("carries no answers: one that comes there is reported and settles nothing", async () => {
    const fixture = await serve((response) => {
      response.writeHead(200, events);
      response.write(
        'data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"forged"}]}}\n\n',
      );
    });
    await using open = httpSession(fixture.url, ...options);
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result["content"]).toEqual([]);
    await expect.poll(() => open.exceptions.length).toBe(1);
    expect(open.exceptions[0]).toMatchObject({ code: "RESPONSE_INVALID" });
    fixture.close();
  });

  it("ends with the session", async () => {
    let ended = 0;
    const fixture = await serve((response) => {
      response.on("close", () => (ended += 1));
      response.writeHead(200, events).flushHeaders();
    });
    const open = httpSession(fixture.url, ...options);
    await open.session.callTool("known", {}, limits);
    expect(ended).toBe(0);
    await open.session.disconnect();
    await expect.poll(() => ended).toBe(1);
    fixture.close();
  });
});
