import { describe, expect, it } from "vitest";
import { createSecrets } from "../../../functions/edge/secrets/create-secrets.ts";
import { readSecretSettings } from "../../../functions/edge/secrets/secret-settings.ts";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";

const server = {
  name: "docs",
  type: "mcp",
  transport: "http",
  url: "https://docs.example.com/mcp",
  headers: { Authorization: "Bearer ${TOKEN}", "X-Tenant": "${TENANT}" },
  inputs: ["TENANT"],
};

/** Calls a tool of a server that refuses everything, and tells which tokens arrived there. */
async function call(secret: string, options: EdgeOptions = {}) {
  const tokens: string[] = [];
  const edge = await testEdge({
    tenantServers: [server],
    env: { GW_SECRET_TOKEN: secret },
    ...options,
    deps: {
      fetch: async (_input, init) => {
        tokens.push(new Headers(init?.headers).get("authorization") ?? "");
        return new Response(null, { status: 401 });
      },
      ...options.deps,
    },
  });
  const inputs = { TENANT: "eu" };
  const answer = await edge.post("/v1/tools/call", { tool: "t", arguments: {}, inputs });
  return { ...answer, tokens };
}

describe("a stored secret that is too short to be masked", () => {
  it("is refused in production by its name, before anything is contacted (case 27)", async () => {
    const { status, body, tokens } = await call("hunter2");
    expect(status).toBe(422);
    expect(body).toMatchObject({
      error: {
        type: "SecretError",
        code: "SECRET_UNUSABLE",
        message: "The stored secret 'TOKEN' is shorter than 8 characters (server 'docs').",
        details: { references: [{ name: "TOKEN", pointer: "/headers/Authorization" }] },
        executed: "no",
        retryable: false,
      },
    });
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect(tokens).toEqual([]);
  });

  it("is used in development, and with 8 characters in production", async () => {
    expect((await call("hunter2", { mode: "development" })).tokens).toContain("Bearer hunter2");
    expect((await call("hunter22")).tokens).toContain("Bearer hunter22");
  });
});

describe("secrets from AWS in this runtime", () => {
  const problems: string[] = [];
  const settings = readSecretSettings(
    {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "secret-of-the-key",
    },
    false,
    problems,
  );

  // The first to load the SDK, which takes seconds through the test runner's transforms.
  it(
    "are asked for by one signed request to the region's own address, and used",
    { timeout: 30_000 },
    async () => {
      const requests: Request[] = [];
      const secrets = createSecrets({
        settings,
        variables: new Map(),
        clock: () => Date.now(),
        fetch: async (url, init) => {
          requests.push(new Request(url, init));
          return Response.json({ SecretString: '{"TOKEN":"token-of-the-bundle"}' });
        },
      });
      const { tokens } = await call("unused-value", { deps: { secrets } });
      expect(problems).toEqual([]);
      expect(tokens).toContain("Bearer token-of-the-bundle");
      // The second is the re-read after the server's 401.
      expect(requests).toHaveLength(2);
      const [request] = requests;
      expect(request?.url).toBe("https://secretsmanager.eu-west-1.amazonaws.com/");
      expect(request?.headers.get("x-amz-target")).toBe("secretsmanager.GetSecretValue");
      expect(request?.headers.get("authorization")).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/secretsmanager\/aws4_request/,
      );
      expect(await request?.json()).toEqual({
        SecretId: "gangway/acme/bundle",
        VersionStage: "AWSCURRENT",
      });
    },
  );
});
