import { exportJWK, generateKeyPair, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { instanceName } from "../../../functions/runner/instance-name.ts";
import type { Env } from "../../../functions/runner/settings.ts";
import { factsHeader } from "../../../functions/runner/tenant-host.ts";
import worker from "../../../functions/runner/worker.ts";
import { cancelTicketBody } from "../../../shared/run-contract/contract.ts";
import { signTicket } from "../../../shared/run-contract/ticket.ts";

const nameKey = "a name key of more than 32 characters";
const run = {
  tenant: "acme",
  pool_key: "k",
  source: "tenant",
  protocol: "auto",
  launch: { runner: "npx", version: "1.0.0" },
  operation: { method: "tools/call" },
  limits: {},
};

interface Reached {
  readonly name: string;
  readonly facts?: Record<string, unknown>;
  readonly cancelled?: string;
}

let privateKey: JWK;
let publicKey: JWK;

beforeAll(async () => {
  const keys = await generateKeyPair("EdDSA", { extractable: true });
  privateKey = await exportJWK(keys.privateKey);
  publicKey = await exportJWK(keys.publicKey);
});

/** A runner whose hosts only tell that they were reached; `up` names those that answer a cancel. */
function runner(changes: Record<string, unknown> = {}, up: Record<string, string> = {}) {
  const reached: Reached[] = [];
  const namespace = {
    getByName: (name: string) => ({
      fetch: async (_url: string, init: { readonly headers: Record<string, string> }) => {
        reached.push({ name, facts: JSON.parse(init.headers[factsHeader] ?? "null") });
        return new Response("events");
      },
      cancel: async (path: string) => {
        reached.push({ name, cancelled: path });
        const told = up[name];
        return told === undefined ? null : new Response(told);
      },
    }),
  };
  const env: Record<string, unknown> = {
    TENANT_HOSTS: namespace,
    GANGWAY_HOST_TICKET_KEY: JSON.stringify(publicKey),
    GANGWAY_RUNNER_NAME_KEY: nameKey,
    ...changes,
  };
  const ask = (path: string, init: RequestInit) =>
    worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(
        `https://runner.invalid${path}`,
        init as object,
      ),
      env as Env,
    );
  return { reached, ask };
}

const sign = (body: Uint8Array, tenant = "acme") =>
  signTicket(privateKey, { tenant, body, nowS: Math.floor(Date.now() / 1000) });

async function post(value: unknown, tenant?: string): Promise<RequestInit> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = { authorization: `Bearer ${await sign(body, tenant)}` };
  return { method: "POST", headers, body };
}

describe("the runner", () => {
  it("sends a run to its tenant's host, and what a request brought to the other one", async () => {
    const { reached, ask } = runner();
    expect(await (await ask("/v1/run", await post(run))).text()).toBe("events");
    await ask("/v1/run", await post({ ...run, source: "submitted" }));
    const name = await instanceName({ tenant: "acme", submitted: false }, nameKey);
    const facts = { session: null, listKey: null, refresh: false };
    expect(reached).toEqual([
      { name, facts: { ...facts, submitted: false, sleepAfterS: 60 } },
      { name: `${name}:submitted`, facts: expect.objectContaining({ submitted: true }) },
    ]);
  });

  it.each([
    ["another tenant's ticket", async () => post(run, "globex"), 401, "TICKET_INVALID"],
    ["no ticket", async () => ({ method: "POST", body: "{}" }), 401, "TICKET_INVALID"],
    [
      "a ticket for another body",
      async () => ({ ...(await post(run)), body: "{}" }),
      401,
      "TICKET_INVALID",
    ],
    [
      "no ticket, however long its body",
      async () => ({ method: "POST", body: new Uint8Array(4 * 1024 * 1024 + 1) }),
      401,
      "TICKET_INVALID",
    ],
    ["what is no run", async () => post({}), 400, "REQUEST_INVALID"],
    [
      "more than a host takes",
      async () => ({ ...(await post(run)), body: new Uint8Array(4 * 1024 * 1024 + 1) }),
      413,
      "BODY_TOO_LARGE",
    ],
  ])("wakes nothing for %s", async (_what, init, status, code) => {
    const { reached, ask } = runner();
    const answer = await ask("/v1/run", await init());
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false, error: { code, executed: "no" } });
    expect(reached).toEqual([]);
  });

  it("names the settings that it lacks, and has no other routes", async () => {
    const lacking = runner({ GANGWAY_RUNNER_NAME_KEY: undefined });
    const answer = await lacking.ask("/v1/run", await post(run));
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("GANGWAY_RUNNER_NAME_KEY");
    const { ask } = runner();
    expect((await ask("/health", {})).status).toBe(404);
    expect((await ask("/v1/run", {})).status).toBe(404);
  });

  it("asks both hosts to cancel, and tells the answer of the one that knew the run", async () => {
    const name = await instanceName({ tenant: "acme", submitted: false }, nameKey);
    const up = { [name]: '{"cancelled":0}', [`${name}:submitted`]: '{"cancelled":1}' };
    const headers = { authorization: `Bearer ${await sign(cancelTicketBody("r 1"))}` };
    const request = { method: "DELETE", headers };
    const { reached, ask } = runner({}, up);
    expect(await (await ask("/v1/runs/r%201", request)).json()).toEqual({ cancelled: 1 });
    expect(reached.map(({ cancelled }) => cancelled)).toEqual(["/v1/runs/r%201", "/v1/runs/r%201"]);
    expect(await (await runner().ask("/v1/runs/r%201", request)).json()).toEqual({ cancelled: 0 });
    for (const path of ["/v1/runs/other", "/v1/runs/%E0%A4%A"])
      expect((await runner().ask(path, request)).status).toBe(401);
  });
});
