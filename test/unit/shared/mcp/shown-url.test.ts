import { describe, expect, it } from "vitest";
import { shownUrl } from "../../../../shared/mcp/shown-url.ts";

describe("shownUrl", () => {
  it.each([
    ["https://a.example", "https://a.example"],
    ["https://a.example/", "https://a.example"],
    ["https://a.example:8443/v1/mcp", "https://a.example:8443/v1/mcp"],
    ["wss://a.example/mcp", "wss://a.example/mcp"],
    ["https://a.example/mcp?key=s3cret#part", "https://a.example/mcp"],
    ["https://user:pass@a.example/mcp", "https://a.example/mcp"],
    ["https://a.example/api/s/NDk2ZjY1M2Et0AbC1234/mcp", "https://a.example/api/s/…/mcp"],
    ["https://a.example/496f653a-1b2c-4d5e-8f90-abcdefabcdef", "https://a.example/…"],
    [
      "https://a.example/model-context-protocol/mcp",
      "https://a.example/model-context-protocol/mcp",
    ],
  ])("shows %s as %s", (url, shown) => {
    expect(shownUrl(new URL(url))).toBe(shown);
  });
});
