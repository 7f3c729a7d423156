import { describe, expect, it } from "vitest";
import { errorEvent } from "../../../../functions/host/run/error-event.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { runEventSchema } from "../../../../shared/run-contract/contract.ts";

const redact = (text: string) => text.replaceAll("hunter2", "***");

describe("errorEvent", () => {
  it("follows the contract and masks what the server said", () => {
    const error = new GatewayError("CAPACITY", "full of hunter2", {
      details: { deep: ["hunter2"] },
      retryAfterS: 5,
    });
    const event = errorEvent(error, { sent: false, redact });
    expect(runEventSchema.parse(event)).toMatchObject({
      error: {
        code: "CAPACITY",
        message: "full of ***",
        details: { deep: ["***"] },
        retry_after_s: 5,
        executed: "no",
      },
    });
  });

  it.each([
    [false, "maybe", "no"],
    [true, "maybe", "maybe"],
    [true, "no", "no"],
    [true, "yes", "yes"],
  ] as const)("with sent %s and an error that says %s tells %s", (sent, executed, told) => {
    const error = new GatewayError("CONNECTION_LOST", "lost", { executed });
    expect(errorEvent(error, { sent, redact }).error.executed).toBe(told);
  });

  it.each([
    [false, "no"],
    [true, "maybe"],
  ] as const)("with sent %s tells %s of an unexpected failure", (sent, told) => {
    const error = new GatewayError("INTERNAL", "The host failed unexpectedly.");
    expect(errorEvent(error, { sent, redact }).error.executed).toBe(told);
  });
});
