import { describe, expect, it } from "vitest";
import { resolveSseEndpoint } from "../../../../functions/edge/upstream/sse-endpoint.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const stream = "https://mcp.example.com/tenant/a/sse?key=hidden";

describe("the endpoint of an SSE stream (case 53)", () => {
  it.each([
    ["/messages?session=1", "https://mcp.example.com/messages?session=1"],
    ["messages?session=1", "https://mcp.example.com/tenant/a/messages?session=1"],
    ["../b/messages", "https://mcp.example.com/tenant/b/messages"],
    ["?session=1", "https://mcp.example.com/tenant/a/sse?session=1"],
    ["https://mcp.example.com:443/m", "https://mcp.example.com/m"],
    ["HTTPS://MCP.EXAMPLE.COM/m", "https://mcp.example.com/m"],
    ["//mcp.example.com/m", "https://mcp.example.com/m"],
    ["/m#fragment", "https://mcp.example.com/m"],
  ])("%s is resolved against the stream's own URL", (data, expected) => {
    expect(resolveSseEndpoint(data, stream).href).toBe(expected);
  });

  it.each([
    ["https://elsewhere.example/m"],
    ["//elsewhere.example/m"],
    ["http://mcp.example.com/m"],
    ["https://mcp.example.com:8443/m"],
    ["https://mcp.example.com.elsewhere.example/m"],
    ["https://mcp.example.com@elsewhere.example/m"],
    ["\\\\elsewhere.example\\m"],
    ["javascript:alert(1)"],
    ["data:text/plain,x"],
    ["wss://mcp.example.com/m"],
  ])("%s is another origin's and is refused", (data) => {
    expect(refusalOf(data)).toMatchObject({
      code: "URL_NOT_ALLOWED",
      details: { reason: "sse-endpoint-origin" },
    });
  });

  it("is refused when it is no URL, and no refusal shows the stream's query", () => {
    expect(refusalOf("http://[broken")).toMatchObject({ code: "RESPONSE_INVALID" });
    for (const data of ["http://[broken", "https://elsewhere.example/?token=hidden"]) {
      expect(refusalOf(data).message).not.toContain("hidden");
    }
  });
});

function refusalOf(data: string): GatewayError {
  try {
    resolveSseEndpoint(data, stream);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new TypeError(`${data} was not refused`);
}
