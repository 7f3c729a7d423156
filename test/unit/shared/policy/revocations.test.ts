import { describe, expect, it } from "vitest";
import { parseLaunch } from "../../../../shared/policy/launch.ts";
import {
  launchRevoked,
  nothingRevoked,
  originRevoked,
  parseRevocations,
} from "../../../../shared/policy/revocations.ts";

describe("GANGWAY_REVOKED", () => {
  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["an unknown list", '{"key": ["k7f3"]}'],
    ["a list of something else", '{"keys": [1]}'],
    ["a list of which one is something else", '{"keys": ["k7f3", 1]}'],
    ["a number", "1"],
    ["an empty text", '""'],
    ["a text in place of a list", '{"keys": "k7f3"}'],
    ["an origin with a path", '{"origins": ["https://a.example.com/x"]}'],
    ["an origin with a query", '{"origins": ["https://a.example.com/?x=1"]}'],
    ["an origin with a fragment", '{"origins": ["https://a.example.com/#x"]}'],
    ["an origin of another scheme", '{"origins": ["xhttps://a.example.com/"]}'],
    ["an origin without a scheme", '{"origins": ["a.example.com"]}'],
    ["a package that cannot be read", '{"packages": ["npm:*"]}'],
  ])("is refused as a whole when it holds %s", (_, text) => {
    expect(parseRevocations(text)).toBeNull();
  });

  it("is read", () => {
    const read = parseRevocations('{"keys": ["k7f3"], "tenants": ["acme"]}');
    expect(read?.keys.has("k7f3")).toBe(true);
    expect(read?.tenants.has("acme")).toBe(true);
    expect(parseRevocations("{}")).toEqual(nothingRevoked);
  });

  it.each([
    ["https://a.example.com/mcp", true],
    ["wss://a.example.com/mcp", true],
    ["https://A.example.com:443/", true],
    ["https://a.example.com:8443/mcp", false],
    ["https://b.example.com/mcp", false],
  ])("takes an origin out of use: %s %s", (url, expected) => {
    const read = parseRevocations('{"origins": ["https://a.example.com"]}') ?? nothingRevoked;
    expect(originRevoked(new URL(url), read)).toBe(expected);
  });

  it.each([
    ["https://news.example.com", "https://news.example.com/mcp"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/mcp"],
    ["http://127.0.0.1:3000", "ws://127.0.0.1:3000/mcp"],
  ])("takes the origin %s out of use: %s", (origin, url) => {
    const read = parseRevocations(JSON.stringify({ origins: [origin] })) ?? nothingRevoked;
    expect(originRevoked(new URL(url), read)).toBe(true);
  });

  it("takes a package out of use", () => {
    const read = parseRevocations('{"packages": ["npm:@evil/*"]}') ?? nothingRevoked;
    const revoked = ["@evil/a@1.0.0", "good@1.0.0"].map((spec) => {
      const launch = parseLaunch("npx", ["-y", spec]);
      return launch.ok && launchRevoked(launch.value, read);
    });
    expect(revoked).toEqual([true, false]);
  });
});
