import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { motoRegion } from "../../support/moto.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { type GatedServer, startGatedServer } from "./gated-server.ts";

/** One secret and one path of the server for each test: the cache and its limits are per name. */
const names = ["COLD", "MASKED", "ROTATED", "PAIR", "LISTED", "REFUSED"] as const;

let emulator: Emulator;
let server: GatedServer;
let gangway: Gangway;

function bundle(changes: Readonly<Record<string, string>> = {}): string {
  const tokens = names.map((name) => [name, `token-of-${name.toLowerCase()}`]);
  return JSON.stringify({ ...Object.fromEntries(tokens), ...changes });
}

function entry(name: string, reference: string): Record<string, unknown> {
  const headers = { Authorization: `Bearer \${${reference}}` };
  return { name, type: "mcp", transport: "http", url: `${server.url}/${name}`, headers };
}

function awsVars(): Record<string, string> {
  return {
    AWS_REGION: motoRegion,
    AWS_ACCESS_KEY_ID: emulator.moto.admin.accessKeyId,
    AWS_SECRET_ACCESS_KEY: emulator.moto.admin.secretAccessKey,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: emulator.front.url,
  };
}

/** Rotates one secret of the tenant, in the store and at the server. */
async function rotate(name: (typeof names)[number]): Promise<void> {
  await emulator.rotate("gangway/acme/bundle", bundle({ [name]: `rotated-${name}` }));
  server.accept(`/${name}`, `rotated-${name}`);
}

function call(name: string): Promise<{ status: number; body: Record<string, unknown> }> {
  return gangway.post("/v1/tools/call", { server: name, tool: "whoami", arguments: {} });
}

beforeAll(async () => {
  [emulator, server] = await Promise.all([startEmulator(), startGatedServer()]);
  await emulator.create("gangway/acme/bundle", bundle());
  for (const name of names) server.accept(`/${name}`, `token-of-${name.toLowerCase()}`);
  server.accept("/REFUSED", null);
  gangway = await startGangway({
    host: false,
    servers: [...names.map((name) => entry(name, name)), entry("absent", "NOT_STORED")],
    // Read only where the provider `env` is asked, which is not so here.
    vars: { ...awsVars(), GW_SECRET_NOT_STORED: "value-in-the-environment" },
  });
});
afterAll(() => Promise.all([gangway.close(), server.close(), emulator.close()]));
beforeEach(() => emulator.front.forget());

describe("the Worker with secrets in AWS", () => {
  it("is ready", async () => {
    const response = await fetch(`${gangway.url}/ready`);
    expect(await response.json()).toEqual({ ready: true, problems: [], warnings: [] });
  });

  it("makes one request to AWS for a tenant's first call, and none for the next", async () => {
    const first = await call("COLD");
    expect(first.body).toMatchObject({ success: true });
    expect(emulator.front.ids).toEqual(["gangway/acme/bundle"]);
    const next = await call("MASKED");
    expect(next.body).toMatchObject({ success: true });
    expect(emulator.front.operations).toHaveLength(1);
  });

  it("masks the value in a result, plain and inside base64 (case 27)", async () => {
    const { body } = await call("MASKED");
    expect(body).toMatchObject({ metadata: { masked: 2 } });
    expect(JSON.stringify(body)).toContain("[secret MASKED]");
    expect(JSON.stringify(body)).not.toContain("token-of-masked");
    expect(JSON.stringify(body)).not.toContain(btoa("user:token-of-masked").slice(8, -4));
  });

  it("uses a rotated secret at once when the server refuses the old one (case 28)", async () => {
    await rotate("ROTATED");
    const before = server.runs();
    const { body } = await call("ROTATED");
    expect(body).toMatchObject({ success: true });
    expect(server.runs() - before).toBe(1);
    expect(emulator.front.operations).toEqual(["GetSecretValue"]);
  });

  it("reads a rotated secret once for all calls of a request", async () => {
    await rotate("PAIR");
    const one = { server: "PAIR", tool: "whoami", arguments: {} };
    const { body } = await gangway.post("/v1/tools/call", { calls: [one, one, one] });
    expect(body).toMatchObject({
      results: [{ success: true }, { success: true }, { success: true }],
    });
    expect(emulator.front.operations).toEqual(["GetSecretValue"]);
  });

  it("lists the tools of a server whose secret was rotated", async () => {
    await rotate("LISTED");
    const { body } = await gangway.post("/v1/tools/list", { servers: ["LISTED"] });
    expect(body).toMatchObject({ success: true, tools: [{ name: "whoami" }] });
  });

  it("re-reads a secret that is refused for ever once, not at every call", async () => {
    for (let calls = 0; calls < 5; calls += 1) {
      const { status, body } = await call("REFUSED");
      expect(status).toBe(502);
      expect(body).toMatchObject({ error: { code: "UPSTREAM_UNAUTHORIZED", executed: "no" } });
    }
    expect(emulator.front.operations).toHaveLength(1);
  });

  it("names a secret that is not stored, and asks no other store than the configured one", async () => {
    const { status, body } = await call("absent");
    expect(status).toBe(422);
    expect(body).toMatchObject({
      error: {
        code: "REFERENCE_UNRESOLVED",
        details: { references: [{ name: "NOT_STORED", pointer: "/headers/Authorization" }] },
      },
    });
  });

  it("goes on serving what it knows while the store fails", async () => {
    emulator.front.fault("GetSecretValue", { kind: "fail" });
    expect((await call("MASKED")).status).toBe(200);
    emulator.front.fault("GetSecretValue", null);
  });
});

describe("a Worker that knows no secret yet", () => {
  let fresh: Gangway;
  beforeAll(async () => {
    fresh = await startGangway({ host: false, servers: [entry("COLD", "COLD")], vars: awsVars() });
  });
  afterAll(() => fresh.close());

  const callCold = () =>
    fresh.post("/v1/tools/call", { server: "COLD", tool: "whoami", arguments: {} });

  it("tells that the store fails, before anything is contacted", async () => {
    emulator.front.fault("GetSecretValue", { kind: "fail" });
    const before = server.runs() + server.refusals();
    const { status, body } = await callCold();
    emulator.front.fault("GetSecretValue", null);
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error: {
        type: "SecretError",
        code: "SECRET_PROVIDER_FAILED",
        retryable: true,
        executed: "no",
      },
    });
    expect(server.runs() + server.refusals()).toBe(before);
  });

  it("answers requests that come at once, each by its own question to the store", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, callCold));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(emulator.front.operations.length).toBeGreaterThan(0);
  });
});
