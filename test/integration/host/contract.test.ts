import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { CompactSign, importJWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { signTicket } from "../../../shared/run-contract/ticket.ts";

import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { until } from "../../support/host-processes.ts";
import { errorOf, resultOf, runRequest } from "../../support/run-request.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_MAX_BODY_BYTES: "20000" });
});
afterAll(() => host.dispose());

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function post(body: Uint8Array<ArrayBuffer>, ticket: string | null): Promise<Response> {
  const authorization = ticket === null ? {} : { authorization: `Bearer ${ticket}` };
  return fetch(`${host.url}/v1/run`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...authorization },
  });
}

async function refusal(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, code: error["code"], executed: error["executed"] };
}

describe("tickets", () => {
  it("takes a fresh ticket for its own body", async () => {
    const body = encode(runRequest("echo"));
    const response = await post(body, await host.sign(body));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    await response.body?.cancel();
  });

  it("refuses a request without a ticket", async () => {
    expect(await refusal(await post(encode(runRequest("echo")), null))).toEqual({
      status: 401,
      code: "TICKET_INVALID",
      executed: "no",
    });
  });

  it("refuses a ticket that was used before", async () => {
    const body = encode(runRequest("echo"));
    const ticket = await host.sign(body);
    await (await post(body, ticket)).body?.cancel();
    expect(await refusal(await post(body, ticket))).toEqual({
      status: 401,
      code: "TICKET_INVALID",
      executed: "no",
    });
  });

  it("refuses a ticket that was signed for another body", async () => {
    const ticket = await host.sign(encode(runRequest("echo")));
    const altered = encode(runRequest("echo", { launch: { package: "evil" } }));
    expect(await refusal(await post(altered, ticket))).toMatchObject({
      status: 401,
      code: "TICKET_INVALID",
    });
  });

  it("refuses an altered ticket", async () => {
    const body = encode(runRequest("echo"));
    const [header, payload, signature] = (await host.sign(body)).split(".");
    const flipped = `${header}.${payload}.${signature?.startsWith("A") ? "B" : "A"}${signature?.slice(1)}`;
    expect(await refusal(await post(body, flipped))).toMatchObject({
      status: 401,
      code: "TICKET_INVALID",
    });
  });

  it("refuses an expired ticket", async () => {
    const body = encode(runRequest("echo"));
    const ticket = await signTicket(host.ticketKey, {
      tenant: "acme",
      body,
      nowS: Math.floor(Date.now() / 1000) - 31,
    });
    expect(await refusal(await post(body, ticket))).toMatchObject({
      status: 401,
      code: "TICKET_INVALID",
    });
  });

  it("refuses claims of another form, though the signature is right", async () => {
    const body = encode(runRequest("echo"));
    const ticket = await new CompactSign(encode({ tenant: "acme" }))
      .setProtectedHeader({ alg: "EdDSA" })
      .sign(await importJWK(host.ticketKey, "EdDSA"));
    expect(await refusal(await post(body, ticket))).toMatchObject({
      status: 401,
      code: "TICKET_INVALID",
    });
  });

  it("serves the first tenant only, and does not say whose it is", async () => {
    const body = encode(runRequest("echo", { tenant: "globex" }));
    const response = await post(body, await host.sign(body, "globex"));
    const text = await response.clone().text();
    expect(await refusal(response)).toMatchObject({ status: 403, code: "TENANT_MISMATCH" });
    expect(text).not.toMatch(/acme|globex/);
  });

  it("refuses a run of another tenant under a ticket of its own", async () => {
    const body = encode(runRequest("echo", { tenant: "globex" }));
    expect(await refusal(await post(body, await host.sign(body, "acme")))).toMatchObject({
      status: 401,
      code: "TICKET_INVALID",
    });
  });

  it("takes a ticket of one run's cancellation for no other run", async () => {
    const ticket = await host.sign(new TextEncoder().encode("DELETE /v1/runs/a"));
    const response = await fetch(`${host.url}/v1/runs/b`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ticket}` },
    });
    expect(await refusal(response)).toMatchObject({ status: 401, code: "TICKET_INVALID" });
  });
});

/** A connection that has sent the head of a run, and `sent` of its body. */
async function begun(ticket: string | null, sent: Uint8Array): Promise<Socket> {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined); // Told by what the test reads.
  await once(socket, "connect");
  const head = ["POST /v1/run HTTP/1.1", `host: ${hostname}`, "content-length: 20000"];
  if (ticket !== null) head.push(`authorization: Bearer ${ticket}`);
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

/** What the host says until it closes the connection. */
async function saidOn(socket: Socket): Promise<string> {
  let said = "";
  socket.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(socket, "close");
  return said;
}

describe("a body that does not end", () => {
  it.each(["no ticket", "a ticket of another key", "an expired ticket"])(
    "is not waited for with %s",
    async (what) => {
      const body = new Uint8Array(100);
      const nowS = Math.floor(Date.now() / 1000);
      const [head, claims, signature = ""] = (await host.sign(body)).split(".");
      const altered = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
      const tickets: Record<string, string | null> = {
        "no ticket": null,
        "a ticket of another key": `${head}.${claims}.${altered}`,
        "an expired ticket": await signTicket(host.ticketKey, {
          tenant: "acme",
          body,
          nowS: nowS - 31,
        }),
      };
      const said = await saidOn(await begun(tickets[what] ?? null, body));
      expect(said).toMatch(/^HTTP\/1.1 401 /);
      expect(said).toContain("TICKET_INVALID");
    },
  );

  it("finds no room beside sixteen of the largest size, which others find again", async () => {
    const body = new Uint8Array(19_999);
    const open = await Promise.all(
      Array.from({ length: 17 }, async () => begun(await host.sign(body), body)),
    );
    const said = await Promise.race(open.map(saidOn));
    expect(said).toMatch(/^HTTP\/1.1 503 /);
    expect(said).toMatch(/retry-after: 1\r\n/i);
    expect(said).toContain('"CAPACITY"');
    for (const socket of open) socket.destroy();
    await until("there is room again", async () => {
      const run = new TextEncoder().encode(`{"a":"${"x".repeat(15_000)}"}`);
      return (await post(run, await host.sign(run))).status === 400;
    });
  });
});

describe("requests", () => {
  it("tells its health and the contracts it speaks", async () => {
    expect(await (await fetch(`${host.url}/health`)).json()).toEqual({
      ok: true,
      draining: false,
      contract: [1],
      version: "0.1.0",
    });
  });

  it.each([
    ["GET", "/nowhere", 404, "ROUTE_NOT_FOUND"],
    ["POST", "/v1/runs", 404, "ROUTE_NOT_FOUND"],
    ["GET", "/v1/run", 405, "METHOD_NOT_ALLOWED"],
    ["POST", "/health", 405, "METHOD_NOT_ALLOWED"],
    ["POST", "/v1/runs/1", 405, "METHOD_NOT_ALLOWED"],
  ])("answers %s %s with %i %s as JSON", async (method, path, status, code) => {
    const response = await fetch(host.url + path, { method });
    expect(await refusal(response.clone())).toMatchObject({ status, code });
    expect(response.headers.has("allow")).toBe(status === 405);
  });

  it("refuses a body above the limit, told or not told in advance", async () => {
    const large = new Uint8Array(20_001);
    expect(await refusal(await post(large, await host.sign(large)))).toMatchObject({
      status: 413,
      code: "BODY_TOO_LARGE",
    });
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(large);
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${await host.sign(large)}` };
    const request = new Request(`${host.url}/v1/run`, {
      method: "POST",
      body: streamed,
      duplex: "half",
      headers,
    });
    expect(await refusal(await fetch(request))).toMatchObject({
      status: 413,
      code: "BODY_TOO_LARGE",
    });
  });

  it("refuses an encoded body", async () => {
    const body = encode({});
    const headers = {
      authorization: `Bearer ${await host.sign(body)}`,
      "content-encoding": "gzip",
    };
    const response = await fetch(`${host.url}/v1/run`, { method: "POST", body, headers });
    expect(await refusal(response)).toMatchObject({ status: 415, code: "MEDIA_TYPE_UNSUPPORTED" });
  });

  it("refuses a body that is no JSON without repeating any of it", async () => {
    const body = new TextEncoder().encode('{"launch":{"secret_env":{"TOKEN":"hunter2"');
    const response = await post(body, await host.sign(body));
    expect(await response.clone().text()).not.toContain("hunter2");
    expect(await refusal(response)).toMatchObject({ status: 400, code: "REQUEST_MALFORMED" });
  });

  it("names the fields of a run that do not follow the contract, not their values", async () => {
    const body = encode({ ...runRequest("echo"), launch: { runner: "hunter2" } });
    const response = await post(body, await host.sign(body));
    const text = await response.clone().text();
    expect(await refusal(response)).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
    expect(text).toContain("launch.runner");
    expect(text).not.toContain("hunter2");
  });

  it("ignores fields that it does not know", async () => {
    const request: RunRequest = { ...runRequest("echo"), of_the_next_version: true };
    expect(resultOf(await host.run(request)).result).toHaveProperty("tools");
  });

  it.each(["uvx", "docker"] as const)(
    "answers a %s launch with LAUNCHER_UNAVAILABLE",
    async (runner) => {
      const events = await host.run(
        runRequest(null, { launch: { runner, package: "mcp-server-time", version: null } }),
      );
      expect(errorOf(events)).toMatchObject({
        code: "LAUNCHER_UNAVAILABLE",
        executed: "no",
        details: { runner },
      });
    },
  );

  it("checks the launch again before it runs anything", async () => {
    const asked = host.registry.requests.length;
    const events = await host.run(runRequest(null, { launch: { package: "good@npm:evil" } }));
    expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", executed: "no" });
    expect(host.registry.requests.length).toBe(asked);
  });

  it("answers the cancellation of an unknown run with a count of none", async () => {
    const response = await host.cancel("no-such-run");
    expect(await response.json()).toEqual({ cancelled: 0 });
  });
});
