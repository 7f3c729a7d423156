import { describe, expect, it } from "vitest";
import { createSecrets } from "../../../../functions/edge/secrets/create-secrets.ts";
import { readSecretSettings } from "../../../../functions/edge/secrets/secret-settings.ts";

const keys = { AWS_ACCESS_KEY_ID: "AKIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "canary-of-the-key" };
const aws = { AWS_REGION: "eu-west-1", ...keys };

function read(env: Record<string, unknown>, development = false) {
  const problems: string[] = [];
  return { ...readSecretSettings(env, development, problems), problems };
}

describe("the settings of secret providers", () => {
  it("are the Worker's variables alone where AWS is not set up", () => {
    expect(read(keys)).toEqual({ providers: ["env"], aws: null, problems: [] });
  });

  it("are AWS alone where a region is set", () => {
    expect(read(aws)).toEqual({
      providers: ["aws"],
      aws: {
        region: "eu-west-1",
        credentials: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "canary-of-the-key" },
        endpoint: null,
        prefix: "gangway/",
        layout: "bundle",
        stage: "AWSCURRENT",
      },
      problems: [],
    });
  });

  it("take everything that can be set", () => {
    const settings = read({
      ...aws,
      AWS_SESSION_TOKEN: "session",
      AWS_ENDPOINT_URL_SECRETS_MANAGER:
        "https://vpce-1.secretsmanager.eu-west-1.vpce.amazonaws.com",
      GANGWAY_AWS_SECRETS_PREFIX: "prod/gangway/",
      GANGWAY_AWS_SECRETS_LAYOUT: "per-name",
      GANGWAY_AWS_SECRETS_STAGE: "AWSPREVIOUS",
      GANGWAY_SECRET_PROVIDERS: "aws, env",
    });
    expect(settings.problems).toEqual([]);
    expect(settings.providers).toEqual(["aws", "env"]);
    expect(settings.aws).toMatchObject({
      credentials: { sessionToken: "session" },
      prefix: "prod/gangway/",
      layout: "per-name",
      stage: "AWSPREVIOUS",
    });
    expect(settings.aws?.endpoint?.hostname).toMatch(/^vpce-1/);
  });

  it.each(["vault", "aws,vault", "aws,aws", "aws,,env", ",", "AWS"])(
    "ask no store where the order is '%s', and say so without repeating it",
    async (order) => {
      const settings = read({ ...aws, GANGWAY_SECRET_PROVIDERS: order });
      expect(settings).toMatchObject({ providers: [], aws: null });
      expect(settings.problems).toEqual([
        "GANGWAY_SECRET_PROVIDERS is neither env nor aws nor both with a comma between them.",
      ]);
      await expect(secretsOf(settings).getSecrets("acme", ["A"])).rejects.toMatchObject({
        code: "NOT_READY",
      });
    },
  );

  it.each([
    ["AWS_ACCESS_KEY_ID", undefined],
    ["AWS_SECRET_ACCESS_KEY", ""],
    ["AWS_REGION", "canary of a region"],
    ["GANGWAY_AWS_SECRETS_LAYOUT", "canary"],
    ["GANGWAY_AWS_SECRETS_PREFIX", "canary*"],
    ["GANGWAY_AWS_SECRETS_STAGE", "canary stage"],
    ["AWS_ENDPOINT_URL_SECRETS_MANAGER", "canary"],
  ])("name %s when it is missing or wrong, and answer nothing", async (name, value) => {
    const settings = read({ ...aws, GANGWAY_SECRET_PROVIDERS: "env,aws", [name]: value });
    expect(settings.aws).toBeNull();
    expect(settings.problems).toEqual([expect.stringContaining(name)]);
    expect(settings.problems.join()).not.toContain("canary");
    await expect(secretsOf(settings).getSecrets("acme", ["A"])).rejects.toMatchObject({
      code: "NOT_READY",
    });
  });

  it.each([
    ["https://secrets.example.com", false, true],
    ["http://127.0.0.1:5000", true, true],
    ["http://[::1]:5000", true, true],
    ["http://127.0.0.1:5000", false, false],
    ["http://secrets.example.com", true, false],
    ["https://user@secrets.example.com", false, false],
    ["https://secrets.example.com/path", false, false],
    ["https://secrets.example.com/?a", false, false],
    ["file:///etc/passwd", true, false],
  ])("take the endpoint %s (development: %s): %s", (endpoint, development, taken) => {
    const settings = read({ ...aws, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint }, development);
    expect(settings.problems).toHaveLength(taken ? 0 : 1);
    expect(settings.aws === null).toBe(!taken);
  });

  it("do not read AWS's variables where AWS is not asked", () => {
    expect(read({ AWS_REGION: "??", GANGWAY_SECRET_PROVIDERS: "env" }).problems).toEqual([]);
  });
});

function secretsOf(settings: ReturnType<typeof read>) {
  return createSecrets({
    settings,
    variables: new Map([["A", "value-of-a"]]),
    fetch: async () => {
      throw new TypeError("nothing is fetched");
    },
    clock: () => 0,
  });
}
