import { describe, expect, it } from "vitest";
import { errorBodySchema } from "../../../../shared/api/error-body-schema.ts";
import { catalogue, isErrorCode, type ErrorCode } from "../../../../shared/errors/catalogue.ts";
import { errorBody, errorDocs } from "../../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const codes = Object.keys(catalogue).filter(isErrorCode);

describe("errorBody", () => {
  it.each(codes)("answers %s in the shape that the API's schema describes", (code) => {
    const body = errorBody(
      new GatewayError(code, "What happened.", {
        server: "s",
        details: { a: 1 },
        executed: "maybe",
      }),
    );
    expect(errorBodySchema.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({
      type: catalogue[code].type,
      code,
      message: "What happened.",
      hint: catalogue[code].hint,
      server: "s",
      details: { a: 1 },
      docs: errorDocs(code),
    });
  });

  it("leaves out what is not known instead of sending it empty", () => {
    expect(Object.keys(errorBody(new GatewayError("INTERNAL", "x")))).toEqual([
      "type",
      "code",
      "message",
      "hint",
      "retryable",
      "executed",
      "docs",
    ]);
  });

  it.each<[ErrorCode, "no" | "maybe" | "yes", boolean]>([
    ["CONNECTION_FAILED", "no", true],
    ["CONNECTION_LOST", "maybe", false],
    ["CONNECTION_LOST", "yes", false],
    ["TOOL_NOT_FOUND", "no", false],
  ])("says of %s with executed %s: retryable %s", (code, executed, retryable) => {
    expect(errorBody(new GatewayError(code, "x", { executed })).retryable).toBe(retryable);
  });

  it("shows neither the cause nor a stack", () => {
    const cause = new TypeError("password=hunter2");
    const text = JSON.stringify(errorBody(new GatewayError("INTERNAL", "x", { cause })));
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("error-body.test");
  });
});
