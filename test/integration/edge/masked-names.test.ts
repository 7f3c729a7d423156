import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawExchange } from "../../fixtures/http/raw-exchange.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type Listener, startListener } from "../../support/listener.ts";

const secret = "canary/7c1e+of=names";
const original = `do ${secret} now`;

let server: Listener;
let gangway: Gangway;

beforeAll(async () => {
  server = await startListener((request, response) => {
    const arrived = server.arrived.findLast((text) => text.includes('"jsonrpc"')) ?? "";
    const call = JSON.parse(arrived.slice(arrived.indexOf("{")));
    const url = new URL(request.url ?? "/", "http://fixture");
    const exchange = new RawExchange({ request, response, url, call, modern: false });
    if (call.id === undefined) exchange.status(202);
    else if (call.method === "initialize") exchange.initialize();
    else if (call.method === "tools/list") exchange.result({ tools: [exchange.tool(original)] });
    else if (call.params.name === original) exchange.text("done");
    else exchange.error(-32602, "unknown tool");
  });
  gangway = await startGangway({
    host: false,
    bare: true,
    vars: { GW_SECRET_TOKEN: secret },
    servers: [
      {
        name: "s",
        type: "mcp",
        transport: "http",
        url: `${server.url}/mcp`,
        headers: { authorization: "Bearer ${TOKEN}" },
        protocol: "legacy",
        terminate_on_close: false,
      },
    ],
  });
});

afterAll(() => Promise.all([gangway?.close(), server?.close()]));

/** What is left of the secret where each character that no name may have is replaced. */
const changed = secret.replaceAll(/[^\w.-]/g, "-");

describe("a secret that a server has in a tool's name", () => {
  it("is masked in the list before the name is made public", async () => {
    const { body } = await gangway.post("/v1/tools/list", {});
    expect(body).toMatchObject({ tools: [{ name: "do--secret-TOKEN--now" }] });
    expect(JSON.stringify(body)).not.toContain(changed);
  });

  it("is masked where the tool is called by the name that the list gives", async () => {
    const request = { server: "s", tool: "do--secret-TOKEN--now" };
    const { body } = await gangway.post("/v1/tools/call", request);
    expect(body).toMatchObject({ success: true, metadata: { tool: "do [secret TOKEN] now" } });
  });

  it("is in no name that is offered in the place of a wrong one", async () => {
    const request = { server: "s", tool: "do--secret-TOKEN--not" };
    const { body } = await gangway.post("/v1/tools/call", request);
    expect(body).toMatchObject({
      error: { code: "TOOL_NOT_FOUND", details: { nearest: ["do--secret-TOKEN--now"] } },
    });
    const near = await gangway.post("/v1/tools/call", { server: "s", tool: `do-${changed}-not` });
    expect(near.body).toMatchObject({ error: { code: "TOOL_NOT_FOUND" } });
    expect(JSON.stringify(near.body)).not.toContain(`do-${changed}-now`);
  });

  it("is masked in the audit line of a call by its original name", async () => {
    const { status } = await gangway.post("/v1/tools/call", { server: "s", tool: original });
    expect(status).toBe(200);
    await expect
      .poll(gangway.edgeLog, { timeout: 10_000 })
      .toContain('"tool":"do [secret TOKEN] now"');
    expect(gangway.edgeLog()).not.toContain(secret);
  });
});
