import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";

let registry: NpmRegistry;
let gangway: Gangway;

const launch = {
  type: "mcp",
  command: "npx",
  args: ["-y", "-p", "@fixture/stdio@1.0.0", "echo"],
} as const;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  gangway = await startGangway({
    registry: registry.url,
    servers: [
      { name: "one", ...launch },
      { name: "two", ...launch },
      { name: "shared", ...launch, share: "tenant" },
    ],
    moreTenants: ["globex"],
  });
});
afterAll(async () => {
  await gangway.close();
  await registry.close();
});

/** The pid of the process that answers. */
async function pidOf(server: string, options: Record<string, unknown> = {}): Promise<number> {
  const { body } = await gangway.post("/v1/tools/call", { server, tool: "pid", options });
  const [block] = body["content"] as { text: string }[];
  return Number(block?.text);
}

async function asTenant(tenant: string, body: unknown) {
  const response = await fetch(`${gangway.url}/v1/tools/call`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${gangway.keys.get(tenant) ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("one process serves", () => {
  it("one subject's calls, and no other subject's (case 3)", async () => {
    const ada = await pidOf("one", { subject: "ada" });
    expect(ada).toBeGreaterThan(0);
    expect(await pidOf("one", { subject: "ada" })).toBe(ada);
    expect(await pidOf("one", { subject: "grace" })).not.toBe(ada);
    expect(await pidOf("one")).not.toBe(ada);
  });

  it("every subject of the tenant where its entry says `share: tenant`", async () => {
    const ada = await pidOf("shared", { subject: "ada" });
    expect(ada).toBeGreaterThan(0);
    expect(await pidOf("shared", { subject: "grace" })).toBe(ada);
  });

  it("one name, though another server is the same to the letter", async () => {
    expect(await pidOf("one")).not.toBe(await pidOf("two"));
  });

  it("one tenant, as does its host: another tenant's call is refused before anything ran", async () => {
    const acme = await pidOf("shared");
    const before = gangway.host.log.filter(({ msg }) => msg === "run answered").length;
    const { status, body } = await asTenant("globex", { server: "shared", tool: "pid" });
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error: {
        code: "HOST_UNAVAILABLE",
        executed: "no",
        retryable: false,
        hint: "Run one host for each tenant; a host binds to the first tenant it serves.",
        details: { host_code: "TENANT_MISMATCH" },
      },
    });
    expect(JSON.stringify(body)).not.toContain("acme");
    expect(gangway.host.log.filter(({ msg }) => msg === "run answered")).toHaveLength(before);
    expect(await pidOf("shared")).toBe(acme);
  });
});
