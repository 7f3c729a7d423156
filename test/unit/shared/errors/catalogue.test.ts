import { describe, expect, it } from "vitest";
import { catalogue, errorTypes, isErrorCode } from "../../../../shared/errors/catalogue.ts";

const entries = Object.entries(catalogue);

describe("the error catalogue", () => {
  it.each(entries)("describes %s for people", (code, { summary, hint }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(summary).toMatch(/^[A-Z].*\.$/s);
    expect(hint).toMatch(/^\S.*\.$/s);
  });

  it.each(entries)("gives %s an HTTP status and a JSON-RPC code", (_, { http, rpc }) => {
    expect(http === 200 || (http >= 400 && http < 600)).toBe(true);
    expect(rpc).toBeLessThanOrEqual(-32000);
    expect(rpc).toBeGreaterThanOrEqual(-32800);
  });

  it("never answers 401 or 403 for what an upstream server refused (case 51)", () => {
    const upstream = entries.filter(([code]) => code.startsWith("UPSTREAM_"));
    expect(upstream.length).toBeGreaterThan(0);
    expect(upstream.map(([, { http }]) => http)).toEqual(upstream.map(() => 502));
  });

  it("uses the types that it declares, and their parents lead to a root", () => {
    const parents = new Map<string, string | null>(Object.entries(errorTypes));
    for (const type of parents.keys()) {
      const seen = new Set<string>();
      for (let above: string | null = type; above !== null; above = parents.get(above) ?? null) {
        expect(seen.has(above)).toBe(false);
        expect(parents.has(above)).toBe(true);
        seen.add(above);
      }
    }
  });

  it("keeps the parents that callers rely on", () => {
    expect(errorTypes).toMatchObject({
      MissingTransportFieldError: "MCPConfigError",
      MCPConfigError: "ConfigError",
      MCPTimeoutError: "MCPConnectionError",
      MCPConnectionError: "MCPError",
      MCPProtocolError: "MCPError",
      MCPToolNotFoundError: "MCPError",
      MCPSessionError: "MCPError",
      ToolError: "MCPError",
    });
  });
});

describe("isErrorCode", () => {
  it.each([
    ["INTERNAL", true],
    ["internal", false],
    ["toString", false],
    ["__proto__", false],
  ])("says of %s: %s", (code, known) => {
    expect(isErrorCode(code)).toBe(known);
  });
});
