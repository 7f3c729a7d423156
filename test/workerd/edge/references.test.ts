import { describe, expect, it } from "vitest";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";

const remote = {
  name: "docs",
  type: "mcp",
  transport: "http",
  url: "https://docs.example.com/mcp",
  headers: { a: "${ONE}", b: "${TWO}" },
};
const aws = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "unused-value",
};

/** The hint of a call whose references have no value. */
async function hintOf(options: EdgeOptions, body: object = {}): Promise<string> {
  const deps = {
    secrets: { getSecrets: async () => new Map(), refresh: async () => new Map() },
  };
  const edge = await testEdge({ ...options, deps });
  const answer = await edge.post("/v1/tools/call", { tool: "t", ...body });
  expect(answer).toMatchObject({ status: 422, body: { error: { code: "REFERENCE_UNRESOLVED" } } });
  return (answer.body["error"] as { hint: string }).hint;
}

describe("the hint for references without a value", () => {
  it("names variable and file in development", async () => {
    expect(await hintOf({ mode: "development", tenantServers: [remote] })).toBe(
      "Set `GW_SECRET_ONE`, `GW_SECRET_TWO` in the environment of `npm start` or in .gangway/secrets.env, and start again. A request's `inputs` are taken only for names that the entry's own `inputs` lists.",
    );
  });

  it("offers inputs of the request where the entry lists the name, and only those", async () => {
    const server = { ...remote, inputs: ["TWO"] };
    expect(await hintOf({ mode: "development", tenantServers: [server] })).toMatch(
      / Or send `TWO` in `inputs`\.$/,
    );
  });

  it("offers inputs and variable to a submitted server in development", async () => {
    expect(await hintOf({ mode: "development" }, { config: remote })).toBe(
      "Send the value in `inputs`; or set `GW_SECRET_ONE`, `GW_SECRET_TWO` in the environment of `npm start` or in .gangway/secrets.env, and start again.",
    );
  });

  it("asks for another name where the environment is never looked up for it", async () => {
    const server = { ...remote, headers: { a: "${A__B}" } };
    expect(await hintOf({ mode: "development", tenantServers: [server] })).toMatch(
      /^Rename `A__B` in the config/,
    );
  });

  it("names the Worker's variables in production", async () => {
    expect(await hintOf({ tenantServers: [remote] })).toMatch(
      /^The operator must set `GW_SECRET_ONE`, `GW_SECRET_TWO` as a secret of the Worker \(or `GW_SECRET_ACME__NAME`, for acme alone\)\./,
    );
  });

  it.each([
    ["the bundle of the tenant", { tenantServers: [remote] }, {}, "gangway/acme/bundle"],
    [
      "the bundle of the deployment",
      { deploymentServers: [remote] },
      {},
      "gangway/deployment/bundle",
    ],
    [
      "one secret a name",
      { tenantServers: [remote] },
      { GANGWAY_AWS_SECRETS_LAYOUT: "per-name", GANGWAY_AWS_SECRETS_PREFIX: "prod/" },
      "prod/acme/ONE`, `prod/acme/TWO",
    ],
  ])("names %s where secrets are kept at AWS", async (_, options, env, place) => {
    expect(await hintOf({ ...options, env: { ...aws, ...env } })).toContain(`\`${place}\``);
  });

  it("tells whoever submits a config in production the same for every name", async () => {
    const tenant = { policy: { hosts: ["docs.example.com"] } };
    expect(await hintOf({ tenant }, { config: remote })).toMatch(/^Send the value in `inputs`; or/);
  });
});
