import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findReferences } from "../../../../shared/config/references.ts";
import { type ServerConfig, serverConfigSchema } from "../../../../shared/config/server-config.ts";
import { canonicalLaunch } from "../../../../shared/policy/approved-launches.ts";
import { parseDestination } from "../../../../shared/policy/destinations.ts";
import {
  grantedToLaunch,
  grantedToUrl,
  type SecretGrant,
} from "../../../../shared/policy/secret-grants.ts";

function grant(text: string, allowQuery = false): SecretGrant {
  const place = parseDestination(text, { development: false });
  if (!place.ok) throw new TypeError(place.message);
  return { ...place.value, allowQuery };
}

const sendTo = () =>
  new Map([
    ["LINEAR", [grant("https://mcp.linear.app/mcp")]],
    ["KEY", [grant("https://mcp.linear.app/mcp", true), grant("https://a.example.com/")]],
  ]);

function remote(fields: object): ServerConfig {
  return serverConfigSchema.parse({ name: "a", type: "mcp", transport: "http", ...fields });
}

function granted(server: ServerConfig): string[] {
  const url = new URL(server.url ?? "");
  return [...grantedToUrl(url, findReferences(server, ""), { sendTo: sendTo() })].sort();
}

describe("stored secrets of a submitted remote server", () => {
  it.each([
    ["in a header", { url: "https://mcp.linear.app/mcp", headers: { a: "${LINEAR}" } }, ["LINEAR"]],
    ["in config", { url: "https://mcp.linear.app/mcp", config: { a: ["${LINEAR}"] } }, ["LINEAR"]],
    ["in a query that is allowed", { url: "https://mcp.linear.app/mcp?k=${KEY}" }, ["KEY"]],
    ["in a query that is not", { url: "https://mcp.linear.app/mcp?k=${LINEAR}" }, []],
    [
      "in a query as well",
      { url: "https://mcp.linear.app/mcp?k=${LINEAR}", headers: { a: "${LINEAR}" } },
      [],
    ],
    ["in a query elsewhere", { url: "https://a.example.com/?k=${KEY}" }, []],
    ["at another path", { url: "https://mcp.linear.app/other", headers: { a: "${LINEAR}" } }, []],
    ["at another host", { url: "https://evil.test/mcp", headers: { a: "${LINEAR} ${KEY}" } }, []],
    ["of an unlisted name", { url: "https://mcp.linear.app/mcp", headers: { a: "${OTHER}" } }, []],
    [
      "of an inherited name",
      { url: "https://mcp.linear.app/mcp", headers: { a: "${__proto__}${constructor}" } },
      [],
    ],
  ])("%s", (_, fields, expected) => {
    expect(granted(remote(fields))).toEqual(expected);
  });

  it("are never granted outside the listed origins, whatever the URL (case 26)", () => {
    const hosts = [
      "mcp.linear.app",
      "a.example.com",
      "evil.test",
      "mcp.linear.app.evil.test",
      "mcp.linear.app@evil.test",
    ];
    const part = fc.constantFrom("mcp", "..", "%2e%2e", "..%2f", "x", "mcp;a");
    fc.assert(
      fc.property(
        fc.constantFrom("https", "http", "wss"),
        fc.constantFrom(...hosts),
        fc.array(part, { maxLength: 5 }),
        fc.constantFrom("", "?k=${LINEAR}${KEY}"),
        (scheme, host, path, query) => {
          const server = remote({
            url: `${scheme}://${host}/${path.join("/")}${query}`,
            headers: { a: "${LINEAR}${KEY}" },
          });
          const url = new URL(server.url ?? "");
          fc.pre(granted(server).length > 0);
          expect(["mcp.linear.app", "a.example.com"]).toContain(url.hostname);
          expect(url.protocol).not.toBe("http:");
          if (url.hostname === "mcp.linear.app") expect(url.pathname).toMatch(/^\/mcp(?:\/|$)/);
        },
      ),
    );
  });
});

describe("stored secrets of a submitted stdio server", () => {
  const server = serverConfigSchema.parse({
    name: "a",
    type: "mcp",
    command: "npx",
    args: ["-y", "pkg@1.0.0"],
    env: { TOKEN: "${TOKEN}", REGION: "${REGION}" },
  });

  function approvals() {
    const canonical = canonicalLaunch(server);
    return canonical.ok ? [{ canonical: canonical.value, inputs: ["REGION"] }] : [];
  }

  function names(given: string[], change: Partial<ServerConfig> = {}): string[] {
    const launch = { ...server, ...change };
    const references = findReferences(server, "");
    const rules = { approvals: approvals() };
    return [...grantedToLaunch(launch, references, new Set(given), rules)].sort();
  }

  it("are granted to the approved launch", () => {
    expect(names([])).toEqual(["REGION", "TOKEN"]);
    expect(names(["REGION"])).toEqual(["REGION", "TOKEN"]);
  });

  it("are not granted when the request fills a reference that the approval does not list", () => {
    expect(names(["TOKEN"])).toEqual([]);
    expect(names(["REGION", "TOKEN"])).toEqual([]);
  });

  it("are not granted to a changed launch", () => {
    expect(names([], { args: ["-y", "pkg@1.0.1"] })).toEqual([]);
    expect(names([], { env: { ...server.env, API_URL: "https://evil.test" } })).toEqual([]);
  });
});
