import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

describe("GatewayError", () => {
  it("takes type, status and hint from the catalogue", () => {
    const error = new GatewayError("TOOL_NOT_FOUND", "No tool 'x'.");
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "GatewayError",
      message: "No tool 'x'.",
      type: "MCPToolNotFoundError",
      http: 404,
      executed: "no",
      hint: "POST /v1/tools/list shows the tools of every server in scope; with options.capabilities, those too that need a caller who answers.",
    });
  });

  it("prefers a more exact hint", () => {
    expect(new GatewayError("TOOL_NOT_FOUND", "x", { hint: "Did you mean y?" }).hint).toBe(
      "Did you mean y?",
    );
  });

  it("learns more without losing what it knew", () => {
    const cause = new TypeError("reset");
    const error = new GatewayError("CONNECTION_LOST", "gone", {
      cause,
      hint: "h",
      details: { a: 1 },
      retryAfterS: 3,
    });
    expect(error.with({ server: "s", executed: "maybe" })).toMatchObject({
      code: "CONNECTION_LOST",
      message: "gone",
      hint: "h",
      details: { a: 1 },
      retryAfterS: 3,
      server: "s",
      executed: "maybe",
      cause,
    });
  });

  it("is its own copy's cause where it had none", () => {
    const error = new GatewayError("INTERNAL", "x");
    expect(error.with({ server: "s" }).cause).toBe(error);
  });
});
