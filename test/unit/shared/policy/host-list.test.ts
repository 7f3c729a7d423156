import { describe, expect, it } from "vitest";
import { hostListed, parseListedHost } from "../../../../shared/policy/host-list.ts";

const rules = { development: false };

describe("a list of hosts", () => {
  it.each([
    "*.example.com",
    "example",
    "EXAMPLE.com",
    "https://example.com",
    "example.com/",
    "example.com.",
    "example.com:0",
    "example.com:70000",
    "example.com:9443",
    "0x7f000001",
    "10.0.0.1",
    "localhost",
    "metadata.google.internal",
    "",
  ])("refuses the entry '%s'", (text) => {
    expect(parseListedHost(text, rules)).toMatchObject({ ok: false, reason: "host-entry-invalid" });
  });

  it("takes loopback in development", () => {
    expect(parseListedHost("127.0.0.1:3000", { development: true })).toMatchObject({ ok: true });
    expect(parseListedHost("localhost", { development: true })).toMatchObject({ ok: true });
  });

  it.each([
    ["mcp.example.com", "https://mcp.example.com/any", true],
    ["mcp.example.com", "wss://mcp.example.com/any", true],
    ["mcp.example.com:8443", "https://mcp.example.com:8443/", true],
    ["mcp.example.com", "https://mcp.example.com:8443/", false],
    ["mcp.example.com:8443", "https://mcp.example.com/", false],
    ["example.com", "https://mcp.example.com/", false],
    ["mcp.example.com", "https://mcp.example.com.evil.test/", false],
    ["mcp.example.com", "https://mcp.example.com./", false],
    ["mcp.example.com", "https://evil.test/mcp.example.com", false],
  ])("%s and %s: %s", (entry, url, expected) => {
    const host = parseListedHost(entry, rules);
    expect(host.ok && hostListed(new URL(url), [host.value])).toBe(expected);
  });
});
