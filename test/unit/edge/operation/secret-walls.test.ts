import { describe, expect, it } from "vitest";
import { endpointWall } from "../../../../functions/edge/operation/endpoint-wall.ts";
import { grantedNames, grantHint } from "../../../../functions/edge/operation/granted-names.ts";
import { requireLaunchGranted } from "../../../../functions/edge/operation/launch-wall.ts";
import type { OperationContext } from "../../../../functions/edge/operation/operation-context.ts";
import type { ResolvedServer } from "../../../../functions/edge/operation/resolve.ts";
import { findReferences } from "../../../../shared/config/references.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";
import { policyOfTenant } from "../../../../shared/config/tenant-policy.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { nothingRevoked, type Revocations } from "../../../../shared/policy/revocations.ts";
import { createRedactor } from "../../../../shared/secrets/redact.ts";
import { deploymentSchema } from "../../../../shared/config/deployment.ts";

const slack = {
  command: "npx",
  args: ["-y", "slack@1.0.0"],
  env: { TOKEN: "${TOKEN}", URL: "${URL}" },
} as const;

/** A context with what the walls look at, and nothing else. */
function contextOf(
  mode: "production" | "development",
  revoked: Revocations | null = nothingRevoked,
): OperationContext {
  const tenant = {
    id: "acme",
    send_to: { TOKEN: ["https://a.example.com/mcp"], KEY: ["https://a.example.com/mcp"] },
    approved_launches: [{ ...slack, inputs: ["URL"] }],
  };
  const tenants = mode === "production" ? [tenant] : [{ id: "acme" }];
  const deployment = deploymentSchema.parse({ mode, version: "1.0", tenants });
  const policyOf = (id: string) =>
    policyOfTenant(
      deployment,
      deployment.tenants.find((one) => one.id === id),
    );
  const context: unknown = {
    caller: { tenant: "acme" },
    deps: { settings: { policyOf }, revocations: () => revoked },
  };
  return context as OperationContext;
}

function resolved(
  fields: object,
  source: "submitted" | "tenant" = "submitted",
  names: readonly string[] = ["TOKEN"],
): ResolvedServer {
  const config = serverConfigSchema.parse({ name: "s", type: "mcp", ...fields });
  const server = { name: "s", source, config, disabled: false, findings: [], envFiles: {} };
  const values = new Map(names.map((name) => [name, `value-of-${name}`]));
  const stored = { namespace: "acme", values };
  return { server, config, envFile: {}, redactor: createRedactor(values), stored, warnings: [] };
}

function thrown(work: () => unknown): Record<string, unknown> | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, message, hint, server, details } = error;
    return { code, message, hint, server, details };
  }
}

const remote = {
  transport: "http",
  url: "https://a.example.com/mcp",
  headers: { a: "${TOKEN}", b: "${TOKEN} ${KEY}", c: "${MINE}" },
};

describe("the wall before a remote server", () => {
  const wallOf = (server: ResolvedServer, context = contextOf("production")) => {
    const wall = endpointWall(new URL(server.config.url ?? ""), server, context);
    return (url: string) => thrown(() => wall(new URL(url)));
  };

  it("lets stored secrets go where they may", () => {
    const ask = wallOf(resolved(remote, "submitted", ["TOKEN", "KEY"]));
    expect(ask("https://a.example.com/mcp")).toBeNull();
    expect(ask("https://a.example.com/mcp/messages?session=1")).toBeNull();
  });

  it("refuses them elsewhere, each name once, and says how to allow it", () => {
    const ask = wallOf(resolved(remote, "submitted", ["TOKEN", "KEY"]));
    expect(ask("https://a.example.com/other?x=1")).toEqual({
      code: "SECRET_DESTINATION_NOT_ALLOWED",
      message:
        "Server 's' leads to https://a.example.com/other, where 'TOKEN', 'KEY' may not be sent.",
      hint: "The operator allows it by `https://a.example.com/other` under `send_to.TOKEN`, `send_to.KEY`.",
      server: "s",
      details: {
        reason: "destination-not-listed",
        destination: "https://a.example.com/other",
        references: ["TOKEN", "KEY"],
      },
    });
  });

  it("asks for values of the store alone: a request's own go where it says", () => {
    const ask = wallOf(resolved(remote, "submitted", []));
    expect(ask("https://a.example.com/other")).toBeNull();
  });

  it("asks for the query of the first URL, and of no later one", () => {
    const url = "https://a.example.com/mcp?k=${TOKEN}";
    const server = resolved({ ...remote, url, headers: {} });
    const wall = endpointWall(
      new URL("https://a.example.com/mcp?k=v"),
      server,
      contextOf("production"),
    );
    expect(thrown(() => wall(new URL("https://a.example.com/mcp?k=v")))).toMatchObject({
      code: "SECRET_DESTINATION_NOT_ALLOWED",
      details: { references: ["TOKEN"] },
    });
    expect(thrown(() => wall(new URL("https://a.example.com/mcp/messages")))).toBeNull();
  });

  it("holds every server to its own origin", () => {
    const ask = wallOf(resolved({ ...remote, headers: {} }, "tenant"));
    expect(ask("https://a.example.com/anything")).toBeNull();
    expect(ask("wss://a.example.com/anything")).toBeNull();
    expect(ask("https://b.example.com/mcp?k=v")).toEqual({
      code: "SECRET_DESTINATION_NOT_ALLOWED",
      message: "Server 's' leads to https://b.example.com/mcp, where its headers may not be sent.",
      hint: "Write the URL that takes the requests into the config.",
      server: "s",
      details: {
        reason: "destination-not-listed",
        destination: "https://b.example.com/mcp",
        references: [],
      },
    });
  });

  it("takes no host for another that has `ws` in its name", () => {
    const server = resolved({ ...remote, url: "https://a.ws.example.com/", headers: {} }, "tenant");
    expect(wallOf(server)("https://a.http.example.com/")).toMatchObject({
      code: "SECRET_DESTINATION_NOT_ALLOWED",
    });
  });

  it("lets an operator's server have its secrets anywhere in its origin, and any one in open development", () => {
    expect(wallOf(resolved(remote, "tenant"))("https://a.example.com/other")).toBeNull();
    const open = wallOf(resolved(remote), contextOf("development"));
    expect(open("https://a.example.com/other")).toBeNull();
  });

  it("refuses a revoked origin, whoever wrote the server", () => {
    const revoked = { ...nothingRevoked, origins: new Set(["https://a.example.com"]) };
    const ask = wallOf(resolved(remote, "tenant"), contextOf("production", revoked));
    expect(ask("https://a.example.com/mcp")).toEqual({
      code: "URL_NOT_ALLOWED",
      message: "The origin https://a.example.com is taken out of use.",
      hint: "Ask the operator: GANGWAY_REVOKED holds it.",
      server: "s",
      details: { reason: "origin-revoked" },
    });
    const unread = wallOf(resolved(remote, "tenant"), contextOf("production", null));
    expect(unread("https://a.example.com/mcp")).toMatchObject({ code: "NOT_READY" });
  });
});

describe("the wall before a launch", () => {
  const ask = (server: ResolvedServer, context = contextOf("production")) =>
    thrown(() => requireLaunchGranted(server, context));

  it("lets an approved launch have its secrets, filled by the store or by listed inputs", () => {
    expect(ask(resolved(slack, "submitted", ["TOKEN", "URL"]))).toBeNull();
    expect(ask(resolved(slack))).toBeNull();
  });

  it("refuses them to any other, each name once, and says how to allow it", () => {
    const other = {
      ...slack,
      args: ["-y", "slack@1.0.1"],
      config: { a: "${TOKEN} ${KEY} ${NONE}" },
    };
    expect(ask(resolved(other, "submitted", ["TOKEN", "KEY", "UNUSED"]))).toEqual({
      code: "SECRET_DESTINATION_NOT_ALLOWED",
      message: "The launch of server 's' is not approved, and may not have 'TOKEN', 'KEY'.",
      hint: "The operator allows it by the whole launch under `approved_launches`.",
      server: "s",
      details: { reason: "launch-not-approved", references: ["TOKEN", "KEY"] },
    });
  });

  it("refuses them to an approved launch that the request steers", () => {
    expect(ask(resolved(slack, "submitted", ["URL"]))).toMatchObject({
      details: { references: ["URL"] },
    });
  });

  it("asks for nothing where no stored value goes along, of an operator's, and in open development", () => {
    const other = { ...slack, args: ["-y", "slack@1.0.1"] };
    expect(ask(resolved(other, "submitted", []))).toBeNull();
    expect(ask(resolved(other, "tenant"))).toBeNull();
    expect(ask(resolved(other), contextOf("development"))).toBeNull();
  });
});

describe("the stored secrets that a server may have", () => {
  const names = (
    server: ResolvedServer,
    given: string[] = [],
    context = contextOf("production"),
  ) => {
    const references = findReferences(server.server.config, "");
    const granting = { references, given: new Set(given) };
    return [...grantedNames(server.server, granting, context)].toSorted();
  };

  it("are all that it refers to and the request does not fill, of an operator's server", () => {
    expect(names(resolved(remote, "tenant"))).toEqual(["KEY", "MINE", "TOKEN"]);
    expect(names(resolved(remote, "tenant"), ["MINE"])).toEqual(["KEY", "TOKEN"]);
    expect(names(resolved(remote), [], contextOf("development"))).toEqual(["KEY", "MINE", "TOKEN"]);
  });

  it("are those of send_to, of a submitted remote one", () => {
    expect(names(resolved(remote))).toEqual(["KEY", "TOKEN"]);
    expect(names(resolved(remote), ["KEY"])).toEqual(["TOKEN"]);
    expect(names(resolved({ ...remote, url: "https://b.example.com/" }))).toEqual([]);
    expect(names(resolved({ ...remote, url: "no url" }))).toEqual([]);
    expect(names(resolved({ ...remote, url: undefined }))).toEqual([]);
  });

  it("are all or none, of a submitted launch", () => {
    expect(names(resolved(slack))).toEqual(["TOKEN", "URL"]);
    expect(names(resolved(slack), ["URL"])).toEqual(["TOKEN"]);
    expect(names(resolved(slack), ["TOKEN"])).toEqual([]);
    expect(names(resolved({ ...slack, args: ["-y", "slack"] }))).toEqual([]);
  });

  it("are told with how to have more", () => {
    const hint = (fields: object) => grantHint(resolved(fields).server, "KEY");
    const head =
      "Send the value in `inputs`; or have the operator store `KEY` for the tenant, and ";
    expect(hint({ ...remote, url: "https://b.example.com/x?k=v" })).toBe(
      `${head}list \`https://b.example.com/x\` under \`send_to.KEY\`.`,
    );
    for (const fields of [slack, { ...remote, url: "no url" }]) {
      expect(hint(fields)).toBe(`${head}list the whole launch under \`approved_launches\`.`);
    }
  });
});
