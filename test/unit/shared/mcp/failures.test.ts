import { describe, expect, it } from "vitest";
import { executedByStatus, httpFailure } from "../../../../shared/mcp/http-failure.ts";
import { rpcFailure } from "../../../../shared/mcp/rpc-failure.ts";

describe("rpcFailure", () => {
  it.each([
    [-32602, "INVALID_PARAMS", "no"],
    [-32601, "SERVER_ERROR", "no"],
    [-32600, "SERVER_ERROR", "no"],
    [-32700, "SERVER_ERROR", "no"],
    [-32020, "SERVER_ERROR", "no"],
    [-32022, "VERSION_UNSUPPORTED", "no"],
    [-32603, "SERVER_ERROR", "maybe"],
    [-32000, "SERVER_ERROR", "maybe"],
    [1, "SERVER_ERROR", "maybe"],
  ])("tells %i as %s, executed %s", (code, expected, executed) => {
    const failure = rpcFailure(
      { code, message: "m", data: [1] },
      "tools/call",
      "https://a.example",
    );
    expect(failure).toMatchObject({
      code: expected,
      executed,
      details: { rpc_code: code, rpc_message: "m", rpc_data: [1] },
    });
    expect(failure.message).toBe(`https://a.example answered tools/call with error ${code}: m`);
  });

  it.each([
    ["tools/call", "input_schema"],
    ["prompts/get", "/v1/prompts/list"],
    ["resources/read", "/v1/resources/list"],
    ["completion/complete", "`ref`"],
    ["tools/list", "/v1"],
  ])("hints at what %s was asked with where its params were refused: %s", (method, hint) => {
    const failure = rpcFailure({ code: -32602, message: "m" }, method, "t");
    expect(failure.hint).toContain(hint);
  });

  it("keeps the server's message whole, since a cut could hide a secret from the redactor", () => {
    const message = "x".repeat(10_000);
    const failure = rpcFailure({ code: 1, message }, "tools/call", "t");
    expect(failure.details).toMatchObject({ rpc_message: message });
  });
});

describe("httpFailure", () => {
  it.each([
    [400, false],
    [404, false],
    [405, false],
    [410, false],
    [408, true],
    [425, true],
    [500, true],
    [503, true],
  ])("of %i, met before anything ran, says whether a retry may help: %s", (status, retryable) => {
    const failure = httpFailure({ status }, "https://a.example/mcp").with({ executed: "no" });
    expect(failure).toMatchObject({ code: "UPSTREAM_HTTP_ERROR", retryable });
    expect(failure.with({ server: "s" }).retryable).toBe(retryable);
    expect(failure.message).toBe(`https://a.example/mcp answered with HTTP ${status}.`);
  });
});

describe("executedByStatus", () => {
  it.each([
    [301, "no"],
    [303, "maybe"],
    [308, "no"],
    [400, "maybe"],
    [401, "no"],
    [404, "no"],
    [405, "no"],
    [408, "maybe"],
    [409, "maybe"],
    [413, "no"],
    [429, "no"],
    [500, "maybe"],
    [502, "maybe"],
    [504, "maybe"],
    [522, "maybe"],
    [521, "no"],
    [530, "no"],
  ])("of %i is %s", (status, executed) => {
    expect(executedByStatus(status)).toBe(executed);
    expect(httpFailure({ status }, "t").executed).toBe(executed);
  });

  it("tells an origin that the network could not connect to as no connection", () => {
    expect(httpFailure({ status: 521 }, "https://a.example")).toMatchObject({
      code: "CONNECTION_FAILED",
      details: { status: 521 },
    });
  });
});
