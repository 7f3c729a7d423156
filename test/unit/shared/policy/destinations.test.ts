import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  destinationText,
  liesIn,
  parseDestination,
} from "../../../../shared/policy/destinations.ts";

function destination(text: string, development = false) {
  const read = parseDestination(text, { development });
  if (!read.ok) throw new TypeError(read.message);
  return read.value;
}

describe("a destination of secrets", () => {
  it.each([
    "https://mcp.example.com",
    "https://mcp.example.com/",
    "https://mcp.example.com/mcp",
    "https://mcp.example.com/mcp/",
    "https://mcp.example.com:8443/a/b",
  ])("is read from %s", (text) => {
    expect(parseDestination(text, { development: false })).toMatchObject({ ok: true });
  });

  it.each([
    ["a wildcard for the host", "https://*.example.com/mcp"],
    ["a wildcard for all", "*"],
    ["a wildcard in the path", "https://mcp.example.com/*"],
    ["no scheme", "mcp.example.com/mcp"],
    ["plain http", "http://mcp.example.com/mcp"],
    ["a WebSocket's scheme", "wss://mcp.example.com/mcp"],
    ["a user name", "https://user@mcp.example.com/mcp"],
    ["a query", "https://mcp.example.com/mcp?x=1"],
    ["a fragment", "https://mcp.example.com/mcp#x"],
    ["a reference", "https://mcp.example.com/${PATH}"],
    ["dots in the path", "https://mcp.example.com/a/../mcp"],
    ["encoded dots", "https://mcp.example.com/a/%2e%2e/mcp"],
    ["capitals in the host", "https://MCP.example.com/mcp"],
    ["a port that is never contacted", "https://mcp.example.com:9443/mcp"],
    ["the port that is meant anyway", "https://mcp.example.com:443/mcp"],
    ["a trailing dot", "https://mcp.example.com./mcp"],
    ["an address", "https://127.0.0.1/mcp"],
    ["loopback", "https://localhost/mcp"],
    ["a private name", "https://db.internal/mcp"],
    ["a backslash", "https://mcp.example.com\\mcp"],
    ["a space", "https://mcp.example.com/m cp"],
    ["nothing", ""],
  ])("is refused with %s", (_, text) => {
    expect(parseDestination(text, { development: false })).toMatchObject({
      ok: false,
      reason: "destination-invalid",
    });
  });

  it("is taken on loopback in development", () => {
    expect(destination("http://127.0.0.1:3000/mcp", true)).toMatchObject({ secure: false });
  });

  it.each([
    ["itself", "https://h.example.com/mcp", "https://h.example.com/mcp"],
    ["what is below", "https://h.example.com/mcp", "https://h.example.com/mcp/a/b"],
    ["a trailing slash", "https://h.example.com/mcp", "https://h.example.com/mcp/"],
    ["a query", "https://h.example.com/mcp", "https://h.example.com/mcp?x=../.."],
    ["the port written out", "https://h.example.com/mcp", "https://h.example.com:443/mcp"],
    ["capitals in the host", "https://h.example.com/mcp", "https://H.EXAMPLE.COM/mcp"],
    ["a path that comes back", "https://h.example.com/mcp", "https://h.example.com/a/../mcp"],
    ["the WebSocket kin", "https://h.example.com/mcp", "wss://h.example.com/mcp/ws"],
    ["every path where none is written", "https://h.example.com", "https://h.example.com/a%2fb"],
    [
      "what is below a prefix of many slashes",
      "https://h.example.com/mcp//",
      "https://h.example.com/mcp/a",
    ],
    [
      "what is below an odd prefix",
      "https://h.example.com/@a%2Fb",
      "https://h.example.com/@a%2Fb/c",
    ],
    [
      "an odd prefix to the character",
      "https://h.example.com/@a%2Fb",
      "https://h.example.com/@a%2Fb",
    ],
  ])("holds %s", (_, place, url) => {
    expect(liesIn(new URL(url), destination(place))).toBe(true);
  });

  it.each([
    ["a longer name of the same beginning", "https://h.example.com/mcpx"],
    ["the parent", "https://h.example.com/"],
    ["another case of the path", "https://h.example.com/MCP"],
    ["a path that leaves", "https://h.example.com/mcp/../x"],
    ["encoded dots that leave", "https://h.example.com/mcp/%2e%2e/x"],
    ["half-encoded dots that leave", "https://h.example.com/mcp/.%2E/x"],
    ["an encoded slash", "https://h.example.com/mcp/..%2fx"],
    ["an encoded backslash", "https://h.example.com/mcp/..%5cx"],
    ["a doubly encoded slash", "https://h.example.com/mcp/..%252fx"],
    ["a path parameter", "https://h.example.com/mcp/..;/x"],
    ["an overlong slash", "https://h.example.com/mcp/..%c0%afx"],
    ["full-width dots", "https://h.example.com/mcp/\uFF0E\uFF0E/x"],
    ["a backslash that the parser turns", "https://h.example.com/mcp\\..\\x"],
    ["two slashes", "https://h.example.com/mcp//x"],
    ["another port", "https://h.example.com:8443/mcp"],
    ["plain http", "http://h.example.com/mcp"],
    ["plain http at the same port", "http://h.example.com:443/mcp"],
    ["a plain WebSocket", "ws://h.example.com/mcp"],
    ["a subdomain", "https://a.h.example.com/mcp"],
    ["a longer domain", "https://h.example.com.evil.test/mcp"],
    ["the host as a user name", "https://h.example.com@evil.test/mcp"],
    ["a trailing dot", "https://h.example.com./mcp"],
    ["a look-alike letter", "https://h.ex\u0430mple.com/mcp"],
  ])("does not hold %s (case 26)", (_, url) => {
    expect(liesIn(new URL(url), destination("https://h.example.com/mcp"))).toBe(false);
  });

  it("never holds a URL of another host or outside its path, whatever the path says", () => {
    const place = destination("https://h.example.com/mcp");
    const segment = fc.constantFrom(
      "..",
      ".",
      "%2e%2e",
      "%2E.",
      "mcp",
      "..%2f",
      ";",
      "",
      "%25",
      "a",
    );
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 8 }),
        fc.constantFrom("/", "\\"),
        (parts, slash) => {
          const url = new URL(`https://h.example.com/mcp${slash}${parts.join(slash)}`);
          fc.pre(liesIn(url, place));
          const decoded = new URL(decodeURIComponent(url.pathname), "https://h.example.com")
            .pathname;
          expect(decoded === "/mcp" || decoded.startsWith("/mcp/")).toBe(true);
        },
      ),
    );
  });

  it("is told without query and credentials", () => {
    expect(destinationText(new URL("wss://u:p@h.example.com:8443/mcp?key=1"))).toBe(
      "https://h.example.com:8443/mcp",
    );
    expect(destinationText(new URL("ws://127.0.0.1:3000/mcp"))).toBe("http://127.0.0.1:3000/mcp");
  });
});
