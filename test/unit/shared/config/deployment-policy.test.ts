import { describe, expect, it } from "vitest";
import { readDeployment } from "../../../../shared/config/read-deployment.ts";
import { tenantPolicy } from "../../../../shared/config/tenant-policy.ts";

const sha = "0f".repeat(32);
const good = `version: "1.0"
mcp_servers:
  - { name: docs, type: mcp, description: d, transport: http, url: https://docs.example.com/mcp }
issuers:
  - { id: ci01, issuer: https://ci.example.com, jwks_url: https://ci.example.com/jwks, audience: gangway, algorithms: [RS256], tenants: [globex], scopes: [validate], claims: { repository: [globex/app] } }
tenants:
  - id: globex
    keys:
      - { id: k2d8, sha256: ${sha}, scopes: [call, submit], servers: [docs], tools: ["get_*"] }
    send_to: { LINEAR: [https://mcp.linear.app/mcp, { url: https://a.example.com/x, allow_query: true }] }
    policy: { hosts: [mcp.linear.app], packages: ["npm:@modelcontextprotocol/*"], pinning: warn, env_opt_in: [AWS_REGION], volume_roots: [/srv/data], allow_scripts: true, min_release_age_days: 1.5 }
    approved_launches:
      - { command: npx, args: [-y, "@acme/slack@1.4.2"], env: { TOKEN: "\${TOKEN}" } }
    limits: { calls_per_minute: 120, calls_per_day: 20000, container_minutes_per_day: 240 }
`;

function findings(text: string, mode: "production" | "development" = "production") {
  return readDeployment(text, { mode }).findings.map(({ id, line }) => `${id}:${line}`);
}

describe("policy in a deployment file", () => {
  it("is read without a finding", () => {
    expect(findings(good)).toEqual([]);
  });

  it.each<[string, (text: string) => string, string[]]>([
    ["an unknown field of a policy", (t) => t.replace("pinning:", "pining:"), ["GW113:11"]],
    ["an unknown field of a grant", (t) => t.replace("allow_query:", "allow_qery:"), ["GW113:10"]],
    ["an unknown field of limits", (t) => t.replace("calls_per_day", "calls_a_day"), ["GW113:14"]],
    [
      "an unknown field of an approval",
      (t) => t.replace("env: { TOKEN", "envs: { TOKEN"),
      ["GW113:13"],
    ],
    [
      "an unknown field of an issuer",
      (t) => t.replace("audience:", "audiences:"),
      ["GW121:5", "GW113:5"],
    ],
    [
      "a wildcard destination",
      (t) => t.replace("https://mcp.linear.app/mcp", '"https://*.linear.app"'),
      ["GW120:10"],
    ],
    [
      "a destination without a scheme",
      (t) => t.replace("https://mcp.linear.app/mcp", "mcp.linear.app"),
      ["GW120:10"],
    ],
    ["a name that is no reference", (t) => t.replace("LINEAR:", "LIN-EAR:"), ["GW120:10"]],
    [
      "a name without a destination",
      (t) => t.replace(/LINEAR: \[.*\]/, "LINEAR: []"),
      ["GW124:10"],
    ],
    [
      "a wildcard host",
      (t) => t.replace("hosts: [mcp.linear.app]", 'hosts: ["*.linear.app"]'),
      ["GW120:11"],
    ],
    ["a host that is a URL", (t) => t.replace("hosts: [mcp", "hosts: [https://mcp"), ["GW120:11"]],
    ["a wildcard package", (t) => t.replace("npm:@modelcontextprotocol/*", "npm:*"), ["GW120:11"]],
    ["a package of no registry", (t) => t.replace("npm:@m", "gem:@m"), ["GW120:11"]],
    ["an opt-in that cannot be", (t) => t.replace("AWS_REGION", "NODE_OPTIONS"), ["GW120:11"]],
    [
      "a release age of nothing",
      (t) => t.replace("min_release_age_days: 1.5", "min_release_age_days: 0"),
      ["GW124:11"],
    ],
    [
      "a release age with a unit",
      (t) => t.replace("min_release_age_days: 1.5", "min_release_age: 3d"),
      ["GW113:11"],
    ],
    [
      "scripts by name",
      (t) => t.replace("allow_scripts: true", "allow_scripts: [a]"),
      ["GW120:11"],
    ],
    ["a relative volume root", (t) => t.replace("/srv/data", "srv/data"), ["GW141:11"]],
    [
      "an approval of a moving version",
      (t) => t.replace("slack@1.4.2", "slack@latest"),
      ["GW141:13"],
    ],
    [
      "an approval with a reference in args",
      (t) => t.replace("slack@1.4.2", "slack@${V}"),
      ["GW141:13"],
    ],
    [
      "an approval of a shell",
      (t) => t.replace('[-y, "@acme/slack@1.4.2"]', "[-c, id]"),
      ["GW141:13"],
    ],
    ["a limit of zero", (t) => t.replace("minute: 120", "minute: 0"), ["GW124:14"]],
    [
      "a key narrowed to an unknown server",
      (t) => t.replace("servers: [docs]", "servers: [doc]"),
      ["GW141:9"],
    ],
    [
      "an issuer of an unknown tenant",
      (t) => t.replace("tenants: [globex]", "tenants: [acme]"),
      ["GW141:5"],
    ],
    [
      "an issuer of several tenants without the claim",
      (t) => t.replace("tenants: [globex]", "tenants: [globex, globex]"),
      ["GW121:5"],
    ],
    ["an issuer with a shared secret", (t) => t.replace("RS256", "HS256"), ["GW125:5"]],
    ["an issuer without signatures", (t) => t.replace("RS256", "none"), ["GW125:5"]],
    ["an issuer with a key's id", (t) => t.replace("id: ci01", "id: k2d8"), ["GW506:5"]],
    [
      "keys of an issuer that come in the clear",
      (t) => t.replace("https://ci.example.com/jwks", "http://ci.example.com/jwks"),
      ["GW141:5"],
    ],
    [
      "keys of an issuer at a private address",
      (t) => t.replace("https://ci.example.com/jwks", "https://10.0.0.1/jwks"),
      ["GW141:5"],
    ],
  ])("refuses %s, at its line", (_, change, expected) => {
    expect(change(good)).not.toBe(good);
    expect(findings(change(good)).toSorted()).toEqual(expected.toSorted());
  });

  it("takes loopback places in development only", () => {
    const text = good
      .replace("https://mcp.linear.app/mcp", "http://127.0.0.1:3000/mcp")
      .replace("hosts: [mcp.linear.app]", 'hosts: ["127.0.0.1:3000"]');
    expect(findings(text)).toEqual(["GW141:10", "GW141:11"]);
    expect(findings(text, "development")).toEqual([]);
  });

  it("wants exact versions of a tenant's own servers where it asks for them", () => {
    const own =
      "    mcp_servers:\n      - { name: a, type: mcp, description: d, command: npx, args: [-y, pkg] }\n";
    const text = good.replace("pinning: warn", "pinning: strict") + own;
    expect(findings(text)).toContain("GW141:16");
    expect(findings(good + own).filter((id) => id.startsWith("GW141"))).toEqual([]);
  });
});

describe("the policy of a tenant", () => {
  function policyOf(tenant: string, mode: "production" | "development") {
    const { deployment } = readDeployment(`version: "1.0"\ntenants:\n  - ${tenant}\n`, { mode });
    if (deployment === null) throw new TypeError("the deployment cannot be used");
    return tenantPolicy(deployment, "acme");
  }

  it("allows nothing in production that is not written", () => {
    const policy = policyOf("{ id: acme }", "production");
    expect(policy.submitted).toEqual({ hosts: [], packages: [], pinning: "strict" });
    expect(policy.secrets).toEqual({ sendTo: new Map(), approvals: [] });
    expect(policy.ownPinning).toBe("warn");
  });

  it("is open in development where nothing is written, and holds where something is", () => {
    const open = policyOf("{ id: acme }", "development");
    expect(open.submitted).toEqual({ hosts: null, packages: null, pinning: "warn" });
    expect(open.secrets).toBeNull();
    const written = policyOf("{ id: acme, policy: { hosts: [] }, send_to: {} }", "development");
    expect(written.submitted.hosts).toEqual([]);
    expect(written.secrets).toEqual({ sendTo: new Map(), approvals: [] });
  });

  it("takes the operator's own pinned launches as approved, with the inputs that they list", () => {
    const text =
      '{ id: acme, mcp_servers: [{ name: a, type: mcp, description: d, command: npx, args: [-y, pkg@1.0.0], inputs: [X] }, { name: b, type: mcp, description: d, command: npx, args: [-y, pkg] }, { name: c, type: mcp, description: d, command: npx, args: [-y, pkg@1.0.0, "${X}"] }] }';
    expect(policyOf(text, "production").secrets?.approvals.map(({ inputs }) => inputs)).toEqual([
      ["X"],
    ]);
  });

  it("allows nothing to a tenant that there is not", () => {
    const { deployment } = readDeployment('version: "1.0"\n', { mode: "production" });
    if (deployment === null) throw new TypeError("the deployment cannot be used");
    expect(tenantPolicy(deployment, "acme").submitted.hosts).toEqual([]);
  });
});
