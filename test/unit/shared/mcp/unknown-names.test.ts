import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { mayMeanUnknownName, mayTellUnknownTool } from "../../../../shared/mcp/unknown-names.ts";

const told = { isError: true, content: [{ type: "text", text: "Tool nope is unknown" }] };

describe("mayTellUnknownTool", () => {
  it("takes a failure in one text that names the tool", () => {
    expect(mayTellUnknownTool(told, "nope")).toBe(true);
  });

  it.each([
    ["a success", { ...told, isError: false }],
    ["a failure with structure", { ...told, structuredContent: {} }],
    ["a failure in two blocks", { ...told, content: [...told.content, ...told.content] }],
    ["a failure without a text", { isError: true, content: [{ type: "image" }] }],
    ["a failure without content", { isError: true }],
  ])("does not take %s", (_, result) => {
    expect(mayTellUnknownTool(result, "nope")).toBe(false);
  });

  it("does not take a text that names another tool", () => {
    expect(mayTellUnknownTool(told, "other")).toBe(false);
  });
});

describe("mayMeanUnknownName", () => {
  it("goes by the server's code", () => {
    const error = (code: number) =>
      new GatewayError("SERVER_ERROR", "m", { details: { rpc_code: code } });
    expect([-32601, -32602, -32603].map((code) => mayMeanUnknownName(error(code)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(mayMeanUnknownName(new TypeError("unknown tool"))).toBe(false);
  });
});
