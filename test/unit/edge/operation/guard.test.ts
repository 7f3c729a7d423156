import { describe, expect, it } from "vitest";
import { guard } from "../../../../functions/edge/operation/guard.ts";
import { callLimits } from "../../../../functions/edge/limits/budget-namespace.ts";
import { createListCache } from "../../../../functions/edge/operation/list-cache.ts";
import type { OperationContext } from "../../../../functions/edge/operation/operation-context.ts";
import type { ResolvedServer } from "../../../../functions/edge/operation/resolve.ts";
import { envProvider } from "../../../../functions/edge/secrets/env-provider.ts";
import { readSettings } from "../../../../functions/edge/settings.ts";
import { HeaderSlots } from "../../../../functions/edge/upstream/header-slots.ts";
import { createEraCache } from "../../../../functions/edge/upstream/era-cache.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";
import { nothingRevoked } from "../../../../shared/policy/revocations.ts";
import { createRedactor } from "../../../../shared/secrets/redact.ts";

const readTestSettings = () =>
  readSettings(
    { GANGWAY_HOST_URL: "https://host.example.com", GANGWAY_TICKET_KEY: "{}" },
    {
      mode: "production",
      version: "1.0",
      tenants: [
        {
          id: "acme",
          policy: {
            hosts: ["mcp.linear.app"],
            packages: ["npm:@acme/*", "docker:acme/*"],
            env_opt_in: ["AWS_REGION"],
            volume_roots: ["/srv/data"],
          },
          send_to: { TOKEN: ["https://mcp.linear.app/mcp"] },
        },
      ],
    },
  );

const clock = () => 0;
function testContext(): OperationContext {
  const settings = readTestSettings();
  return {
    requestId: "r1",
    caller: {
      tenant: "acme",
      keyId: "k7f3",
      subject: null,
      scopes: new Set(),
      servers: null,
      tools: null,
    },
    subject: "k7f3",
    deps: {
      settings,
      fetch,
      clock,
      secrets: envProvider(new Map()),
      eras: createEraCache(clock),
      lists: createListCache(clock),
      limits: callLimits(settings, clock),
      revocations: () => nothingRevoked,
      audit: () => undefined,
    },
    outbound: { ownHosts: ["gateway.example.com"], hops: 0, slots: new HeaderSlots() },
    clock,
    signal: new AbortController().signal,
    logLevel: null,
    tell: null,
    contacting: () => undefined,
    afterAnswer: () => undefined,
    timings: new Map(),
  };
}

/** A server as the stages before would hand it on, had they let it pass. */
function resolved(
  fields: Record<string, unknown>,
  source: "tenant" | "submitted" = "submitted",
): ResolvedServer {
  const config = serverConfigSchema.parse({ name: "a", type: "mcp", ...fields });
  const server = { name: "a", source, config, disabled: false, findings: [], envFiles: {} };
  const stored = { namespace: "acme", values: new Map([["TOKEN", "a-stored-value"]]) };
  const redactor = createRedactor(stored.values);
  return { server, config, envFile: {}, redactor, stored, warnings: [] };
}

const remote = { transport: "http", url: "https://mcp.linear.app/mcp", headers: { a: "${TOKEN}" } };
const launch = { command: "npx", args: ["-y", "@acme/a@1.0.0"] };

describe("the guard, when the stages before it are passed by", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["an unlisted host", { ...remote, url: "https://evil.example.com/mcp" }, "SERVER_NOT_ALLOWED"],
    ["a private address", { ...remote, url: "https://10.0.0.1/mcp" }, "URL_NOT_ALLOWED"],
    [
      "a secret at another path",
      { ...remote, url: "https://mcp.linear.app/x" },
      "SECRET_DESTINATION_NOT_ALLOWED",
    ],
    [
      "a header of the protocol",
      { ...remote, headers: { "Mcp-Session-Id": "x" } },
      "URL_NOT_ALLOWED",
    ],
    ["an unlisted package", { ...launch, args: ["-y", "evil@1.0.0"] }, "SERVER_NOT_ALLOWED"],
    ["a moving version", { ...launch, args: ["-y", "@acme/a"] }, "SERVER_NOT_ALLOWED"],
    ["a command line", { ...launch, args: ["-c", "id"] }, "LAUNCH_NOT_ALLOWED"],
    [
      "a reserved variable",
      { ...launch, env: { Node_Options: "--require x" } },
      "LAUNCH_NOT_ALLOWED",
    ],
    [
      "a reserved variable that is not set free",
      { ...launch, env: { AWS_PROFILE: "x" } },
      "LAUNCH_NOT_ALLOWED",
    ],
  ])("refuses %s of a submitted server", (_, fields, code) => {
    expect(() => guard(resolved(fields), testContext())).toThrow(expect.objectContaining({ code }));
  });

  it("lets the honest ones through, with the variables that are set free", () => {
    expect(guard(resolved(remote), testContext())).toMatchObject({ kind: "endpoint" });
    const free = { ...launch, env: { AWS_REGION: "eu-west-1" } };
    expect(guard(resolved(free), testContext())).toMatchObject({
      kind: "launch",
      launch: { env: { AWS_REGION: "eu-west-1" }, env_opt_in: ["AWS_REGION"] },
    });
  });

  it("hands the policy's rules of installing to npm and uv, and no other field without them", () => {
    const policy = { allow_scripts: true, min_release_age_days: 2 };
    const strict = readSettings(
      { GANGWAY_HOST_URL: "https://host.example.com", GANGWAY_TICKET_KEY: "{}" },
      { mode: "production", version: "1.0", tenants: [{ id: "acme", policy }] },
    );
    const within = { ...testContext(), deps: { ...testContext().deps, settings: strict } };
    const launched = (fields: Record<string, unknown>) => guard(resolved(fields, "tenant"), within);
    expect(launched(launch)).toMatchObject({
      launch: { install: { allow_scripts: true, min_release_age_ms: 172_800_000 } },
    });
    expect(launched({ command: "uvx", args: ["a==1.0.0"] })).toMatchObject({
      launch: { install: { min_release_age_ms: 172_800_000 } },
    });
    expect(launched({ command: "docker", args: ["run", "-i", "acme/a"] })).not.toMatchObject({
      launch: { install: expect.anything() },
    });
    expect(guard(resolved(launch), testContext())).not.toMatchObject({
      launch: { install: expect.anything() },
    });
  });

  it("lets containers see folders that the tenant's policy names, and no others (volume_roots)", () => {
    const image = `acme/a@sha256:${"0".repeat(64)}`;
    const container = (...options: string[]) =>
      guard(
        resolved({ command: "docker", args: ["run", "-i", "--rm", ...options, image] }, "tenant"),
        testContext(),
      );
    const options = [
      "-v",
      "/srv/data/in:/in:ro",
      "--mount",
      "type=bind,src=/srv/data/out,dst=/out",
    ];
    expect(container(...options)).toMatchObject({
      launch: {
        volumes: [
          { source: "/srv/data/in", target: "/in", read_only: true },
          { source: "/srv/data/out", target: "/out", read_only: false },
        ],
      },
    });
    for (const refused of [
      ["-v", "/srv/database:/x"],
      ["-v", "/srv/data/../x:/x"],
      ["--mount", "type=bind,src=/etc,dst=/x"],
    ]) {
      expect(() => container(...refused)).toThrow(
        expect.objectContaining({ code: "LAUNCH_NOT_ALLOWED" }),
      );
    }
  });

  it("holds the requests of an operator's server to its own origin", () => {
    const target = guard(
      resolved({ ...remote, url: "https://own.example.com/mcp" }, "tenant"),
      testContext(),
    );
    if (target.kind !== "endpoint") throw new TypeError("no endpoint");
    const { wall } = target.guard;
    expect(() => wall?.(new URL("https://own.example.com/messages"))).not.toThrow();
    for (const url of [
      "https://own.example.com:8443/",
      "https://evil.example.com/mcp",
      "http://own.example.com/",
    ]) {
      expect(() => wall?.(new URL(url))).toThrow(
        expect.objectContaining({ code: "SECRET_DESTINATION_NOT_ALLOWED" }),
      );
    }
  });
});
