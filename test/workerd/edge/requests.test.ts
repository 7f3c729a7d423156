import { describe, expect, it } from "vitest";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";

const json = { "content-type": "application/json" };

async function postRaw(body: BodyInit, headers: Record<string, string> = json) {
  const edge = await testEdge({ mode: "development" });
  const response = await edge.request("/v1/tools/call", { method: "POST", headers, body });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

describe("request bodies", () => {
  it("names line and column of malformed JSON (case 31)", async () => {
    const answer = await postRaw('{\n  "tool": echo\n}');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: {
        type: "RequestError",
        code: "REQUEST_MALFORMED",
        message: expect.stringContaining("line 2, column 11"),
        executed: "no",
      },
    });
  });

  it.each(["[", '{"a":'])("refuses malformed JSON that is nested without end: %s", async (open) => {
    const answer = await postRaw(open.repeat(200_000));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: "REQUEST_MALFORMED", executed: "no" } });
  });

  it("tells every issue of a body of the wrong shape", async () => {
    const answer = await postRaw('{"tool": 1, "argumentz": {}}');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: {
        code: "REQUEST_INVALID",
        message:
          "The body does not fit at '/argumentz': unknown field; did you mean 'arguments'? (1 more in details.issues).",
        details: {
          issues: [
            { pointer: "/argumentz", message: "unknown field; did you mean 'arguments'?" },
            { pointer: "/tool", message: "must be text, got a number" },
          ],
        },
      },
    });
  });

  it("names the fields of the form that was meant when several calls are sent", async () => {
    const answer = await postRaw('{"calls": [{"tool": 5}]}');
    expect(JSON.stringify(answer.body)).toContain("/calls/0/tool");
  });

  it.each([
    ["a nesting bomb", `{"tool":"t","arguments":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`],
    ["a __proto__ key", '{"tool":"t","arguments":{"\\u005f_proto__":{"admin":true}}}'],
  ])("refuses %s", async (_name, body) => {
    const answer = await postRaw(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: "REQUEST_INVALID", executed: "no" } });
  });

  it("refuses a body over the limit, declared or streamed", async () => {
    const big = "x".repeat(4 * 1024 * 1024 + 1);
    const streamed = new ReadableStream<Uint8Array>({
      start(controller) {
        const chunk = new TextEncoder().encode(big.slice(0, 1024 * 1024));
        for (let i = 0; i < 5; i += 1) controller.enqueue(chunk);
        controller.close();
      },
    });
    for (const body of [big, streamed]) {
      const answer = await postRaw(body);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({
        error: { type: "LimitError", code: "BODY_TOO_LARGE", details: { limit_bytes: 4194304 } },
      });
    }
  });

  it.each([
    ["another media type", { "content-type": "text/plain" }],
    ["an encoded body", { ...json, "content-encoding": "gzip" }],
  ])("refuses %s with 415", async (_name, headers) => {
    const answer = await postRaw("{}", headers);
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ error: { code: "MEDIA_TYPE_UNSUPPORTED" } });
  });

  it("refuses text that is not UTF-8", async () => {
    const answer = await postRaw(new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(answer.body).toMatchObject({ error: { code: "MEDIA_TYPE_UNSUPPORTED" } });
  });
});

describe("routes", () => {
  it("answers an unknown path with 404 and the error model", async () => {
    const edge = await testEdge();
    const response = await edge.request("/v1/nothing");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "ROUTE_NOT_FOUND" } });
  });

  it("answers a wrong method with 405 and the methods that work", async () => {
    const edge = await testEdge();
    const response = await edge.request("/v1/tools/call");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await response.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
  });

  it("keeps a harmless request id and replaces any other", async () => {
    const edge = await testEdge();
    const kept = await edge.request("/health", { headers: { "x-request-id": "trace-0001" } });
    const replaced = await edge.request("/health", { headers: { "x-request-id": "a b<script>" } });
    expect(kept.headers.get("x-request-id")).toBe("trace-0001");
    expect(replaced.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("tells the request id on an error as well", async () => {
    const edge = await testEdge();
    const response = await edge.request("/v1/nothing", {
      headers: { "x-request-id": "trace-0002" },
    });
    expect(response.headers.get("x-request-id")).toBe("trace-0002");
    expect(response.headers.get("server-timing")).toMatch(/^total;dur=\d/);
  });

  it("allows listed origins only (case 54)", async () => {
    const edge = await testEdge({ corsOrigins: ["https://app.example.com"] });
    const preflight = (origin: string) =>
      edge.request("/v1/tools/call", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" },
      });
    const listed = await preflight("https://app.example.com");
    const other = await preflight("https://evil.example.com");
    expect(listed.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });
});

const ticketKey = JSON.stringify({ kty: "OKP", crv: "Ed25519", x: "x", d: "d" });

describe("readiness", () => {
  it("needs no key for liveness and readiness", async () => {
    const edge = await testEdge();
    const anonymous = { headers: { authorization: "none" } };
    expect(await (await edge.request("/health", anonymous)).json()).toEqual({ ok: true });
    expect(await (await edge.request("/ready", anonymous)).json()).toEqual({
      ready: true,
      problems: [],
      warnings: [expect.stringContaining("GANGWAY_SEAL_KEYS is not set")],
    });
  });

  const stdio = { name: "a", type: "mcp", command: "npx", args: ["-y", "a@1.0.0"] };
  const readyOf = async (options: EdgeOptions) =>
    (await (await testEdge(options)).request("/ready")).json();

  it.each([
    ["http://host.example.com", {}],
    ["https://127.0.0.1:8788", {}],
    ["https://10.0.0.7", {}],
    ["https://localhost", {}],
    ["https://host.internal", {}],
    [undefined, { hosts: { npx: "http://host.example.com" } }],
  ])("tells of a host that a production edge must not use: %s", async (url, deployment) => {
    const GANGWAY_TICKET_KEY = ticketKey;
    const env = url === undefined ? {} : { GANGWAY_HOST_URL: url };
    const options: EdgeOptions = { env: { GANGWAY_TICKET_KEY, ...env }, deployment };
    const problem = expect.stringMatching(/^The host URL for npx .*https/);
    expect(await readyOf(options)).toMatchObject({
      ready: false,
      problems: expect.arrayContaining([problem]),
    });
    expect(await readyOf({ ...options, mode: "development" })).toEqual({
      ready: true,
      problems: [],
      warnings: [],
    });
  });

  it.each([
    ["the deployment", { deploymentServers: [stdio] }],
    ["a tenant", { tenantServers: [stdio] }],
  ])("tells of stdio servers of %s for which there is no host", async (_whose, options) => {
    const problems = [expect.stringMatching(/npx servers are configured, .*GANGWAY_HOST_URL/)];
    expect(await readyOf(options)).toMatchObject({ ready: false, problems });
    expect(await readyOf({ ...options, mode: "development" })).toMatchObject({ ready: true });
    const env = { GANGWAY_HOST_URL: "https://host.example.com", GANGWAY_TICKET_KEY: ticketKey };
    expect(await readyOf({ ...options, env })).toMatchObject({ ready: true, problems: [] });
  });

  it("names every setting that is wrong, with 503", async () => {
    const edge = await testEdge({
      env: { GANGWAY_TICKET_KEY: "not json", GANGWAY_HOST_URL: "no url" },
    });
    const response = await edge.request("/ready");
    expect(response.status).toBe(503);
    const body = await response.json<{ problems: string[] }>();
    expect(body.problems.join("\n")).toContain("GANGWAY_TICKET_KEY");
    expect(body.problems.join("\n")).toContain("npx");
  });

  it("makes a real call only for the scope admin", async () => {
    const edge = await testEdge({ scopes: ["discover"] });
    const response = await edge.request("/ready?deep=1");
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { details: { scope: "admin" } } });
  });
});
