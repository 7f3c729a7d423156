import { describe, expect, it } from "vitest";
import { readLocation, readRetryAfter } from "../../../../functions/edge/upstream/http-response.ts";

const withHeaders = (headers: Record<string, string>) => new Response(null, { headers });

describe("readLocation", () => {
  it.each([
    ["https://a.example/mcp?token=secret#x", "https://a.example/mcp"],
    ["https://user:pw@a.example/", "https://a.example/"],
    ["not a url", null],
  ])("shows %s as %s", (location, expected) => {
    expect(readLocation(withHeaders({ location }))).toBe(expected);
  });

  it("is null without the header", () => {
    expect(readLocation(withHeaders({}))).toBeNull();
  });
});

describe("readRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 0, 0, 0);
  it.each([
    ["7", 7],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90],
    ["Thu, 01 Jan 2025 00:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["", null],
  ])("reads %j as %j seconds", (value, expected) => {
    expect(readRetryAfter(withHeaders({ "retry-after": value }), now)).toBe(expected);
  });

  it("is null without the header", () => {
    expect(readRetryAfter(withHeaders({}), now)).toBeNull();
  });
});
