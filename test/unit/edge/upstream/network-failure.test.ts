import { describe, expect, it } from "vitest";
import { networkFailure } from "../../../../functions/edge/upstream/network-failure.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const target = "https://a.example";
const coded = (code: string) => Object.assign(new TypeError(code), { code });

describe("networkFailure", () => {
  it.each([
    ["a code of its own", coded("ECONNREFUSED")],
    ["the code of its cause", new TypeError("fetch failed", { cause: coded("ENOTFOUND") })],
    [
      "the code of the first of several causes",
      new TypeError("fetch failed", { cause: new AggregateError([coded("ECONNREFUSED")]) }),
    ],
  ])("knows by %s that no connection was made", (_, error) => {
    expect(networkFailure(error, target)).toMatchObject({
      code: "CONNECTION_FAILED",
      executed: "no",
    });
  });

  it.each([coded("ECONNRESET"), new TypeError("Network connection lost."), "odd", null])(
    "does not claim that nothing was sent after %s",
    (error) => {
      expect(networkFailure(error, target)).toMatchObject({
        code: "CONNECTION_LOST",
        executed: "maybe",
      });
    },
  );

  it("counts any failure before the handshake as no connection", () => {
    const failure = networkFailure(new TypeError("Network connection lost."), target, true);
    expect(failure).toMatchObject({ code: "CONNECTION_FAILED", executed: "no" });
    expect(failure.message).toContain(target);
  });

  it("passes an error of the guard", () => {
    const refused = new GatewayError("URL_NOT_ALLOWED", "no");
    expect(networkFailure(refused, target)).toBe(refused);
  });

  it("ends on an error that causes itself", () => {
    const circular = new TypeError("round");
    circular.cause = circular;
    expect(networkFailure(circular, target).code).toBe("CONNECTION_LOST");
  });
});
