import { describe, expect, it } from "vitest";
import { deploymentSchema } from "../../../../shared/config/deployment.ts";
import { readDeployment } from "../../../../shared/config/read-deployment.ts";

const sha = "0f".repeat(32);
const good = `version: "1.0"
mcp_servers:
  - { name: docs, type: mcp, description: d, transport: http, url: https://docs.example.com/mcp }
tenants:
  - id: acme
    keys:
      - { id: k7f3, sha256: ${sha}, scopes: [discover, call, "submit:stdio"], note: agents, expires: 2027-01-01 }
    mcp_servers:
      - name: github
        type: mcp
        description: d
        transport: http
        url: https://api.githubcopilot.com/mcp/
        headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }
cors: { origins: ["https://app.example.com"] }
hosts: { npx: "http://127.0.0.1:8788" }
`;

function ids(text: string, mode: "production" | "development" = "production"): string[] {
  const reading = readDeployment(text, { mode });
  expect(reading.deployment === null).toBe(
    reading.findings.some(({ severity }) => severity === "error"),
  );
  return reading.findings.map(({ id, line }) => `${id}:${line}`);
}

describe("readDeployment", () => {
  it("reads a production file into plain data that the Workers load again", () => {
    const { deployment, findings } = readDeployment(good, { mode: "production" });
    expect(findings).toEqual([]);
    expect(deployment).toMatchObject({
      mode: "production",
      version: "1.0",
      mcp_servers: [{ name: "docs", transport: "http" }],
      tenants: [
        {
          id: "acme",
          keys: [{ id: "k7f3", scopes: ["discover", "call", "submit:stdio"] }],
          mcp_servers: [{ name: "github" }],
        },
      ],
      cors: { origins: ["https://app.example.com"] },
      hosts: { npx: "http://127.0.0.1:8788" },
    });
    const json: unknown = JSON.parse(JSON.stringify(deployment));
    expect(deploymentSchema.parse(json)).toEqual(deployment);
  });

  it("reads the smallest file", () => {
    expect(readDeployment('version: "1.0"\n', { mode: "production" }).deployment).toMatchObject({
      tenants: [],
      mcp_servers: [],
    });
  });

  it("reads JSON", () => {
    expect(readDeployment('{"version": "1.0"}', { mode: "production" }).findings).toEqual([]);
  });

  it.each([
    ["a missing version", "tenants: []\n", ["GW121:1"]],
    ["another version", 'version: "2"\n', ["GW125:1"]],
    ["an unknown key", good.replace("cors:", "cross:"), ["GW113:15"]],
    ["an unknown key of a tenant", good.replace("    keys:", "    key:"), ["GW113:6"]],
    ["an unknown key of an API key", good.replace("note:", "notes:"), ["GW113:7"]],
    ["a hash of the wrong length", good.replace(sha, "0f4c"), ["GW141:7"]],
    ["an unknown scope", good.replace("discover,", "discovery,"), ["GW125:7"]],
    ["a bad expiry", good.replace("2027-01-01", "tomorrow"), ["GW141:7"]],
    ["a reserved tenant id", good.replace("id: acme", "id: deployment"), ["GW141:5"]],
    ["the platform's id", good.replace("id: acme", "id: _platform"), ["GW141:5"]],
    [
      "a bad server",
      good.replace("https://docs.example.com/mcp", "http://docs.example.com/mcp"),
      ["GW302:3"],
    ],
    ["a private server", good.replace("docs.example.com", "10.1.2.3"), ["GW304:3"]],
    ["a wildcard origin", good.replace("https://app.example.com", "*"), ["GW141:15"]],
    ["a host that is no URL", good.replace("http://127.0.0.1:8788", "host"), ["GW141:16"]],
    ["broken syntax", 'version: "1.0\n', ["GW100:2"]],
    ["a list", "- 1\n", ["GW120:1"]],
  ])("refuses %s, at its line", (_, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it.each([
    ["in place of its hash", good.replace(`sha256: ${sha}`, "sha256: gw_prod_k7f3_secret")],
    ["beside its hash", good.replace("note: agents", "key: gw_prod_k7f3_secret")],
    ["as its hash in capitals", good.replace(sha, sha.toUpperCase())],
  ])("refuses an API key that is written %s, and repeats none of it", (_, text) => {
    const { deployment, findings } = readDeployment(text, { mode: "production" });
    expect(deployment).toBe(null);
    expect(JSON.stringify(findings)).not.toContain("gw_prod_k7f3_secret");
  });

  it("refuses two tenants of one id and two keys of one id", () => {
    const key = `keys: [{ id: k7f3, sha256: ${sha}, scopes: [call] }]`;
    const text = `version: "1.0"\ntenants:\n  - id: acme\n    ${key}\n  - id: globex\n    ${key}\n  - id: acme\n`;
    expect(ids(text)).toEqual(["GW506:6", "GW506:7"]);
  });

  it("takes a development section in development and refuses it in production", () => {
    const text = 'version: "1.0"\ndevelopment: { tenant: dev, key_id: abcd, scopes: [call] }\n';
    expect(ids(text)).toEqual(["GW140:2"]);
    expect(readDeployment(text, { mode: "development" }).deployment).toMatchObject({
      mode: "development",
      development: { tenant: "dev", key_id: "abcd", scopes: ["call"] },
    });
  });

  it("takes loopback servers in development only", () => {
    const text = good.replace("https://docs.example.com/mcp", "http://127.0.0.1:3000/mcp");
    expect(ids(text, "development")).toEqual([]);
    expect(ids(text)).toEqual(["GW304:3"]);
  });

  it("takes references in args of an operator's server without a finding", () => {
    const text =
      'version: "1.0"\nmcp_servers:\n  - { name: a, type: mcp, description: d, command: npx, args: [-y, pkg@1.0.0, "${X}"] }\n';
    expect(ids(text)).toEqual([]);
  });

  it("tells every finding at once (case 31)", () => {
    const text = good
      .replace(sha, "0f")
      .replace("cors:", "cross:")
      .replace("https://docs", "ftp://docs");
    expect(ids(text)).toEqual(["GW302:3", "GW141:7", "GW113:15"]);
  });
});
