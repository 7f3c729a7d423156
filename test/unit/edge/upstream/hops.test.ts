import { describe, expect, it } from "vitest";
import { readHops } from "../../../../functions/edge/upstream/hops.ts";

describe("the gateways that a request has come through", () => {
  it.each([
    [null, 0],
    [undefined, 0],
    ["0", 0],
    ["1", 1],
    ["2", 2],
  ])("are read from %j as %i", (header, hops) => {
    expect(readHops(header)).toBe(hops);
  });

  it.each(["3", "4", "99", "", "-1", "1.0", " 1", "0x1", "1, 1", "x"])(
    "are too many, or not told by a gateway, as %j",
    (header) => {
      expect(() => readHops(header)).toThrow(
        expect.objectContaining({ code: "HOPS_EXCEEDED", http: 508 }) as Error,
      );
    },
  );
});
