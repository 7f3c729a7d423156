import { describe, expect, it } from "vitest";
import { equalDigests } from "../../../../functions/edge/middleware/equal-digests.ts";

const digest = "0123456789abcdef".repeat(4);

describe("equal digests", () => {
  it("are those that are the same in every place", () => {
    expect(equalDigests(digest, digest)).toBe(true);
  });

  it("differ by any one digit", () => {
    for (let at = 0; at < digest.length; at += 1) {
      const other = `${digest.slice(0, at)}${digest[at] === "0" ? "1" : "0"}${digest.slice(at + 1)}`;
      expect(equalDigests(digest, other)).toBe(false);
      expect(equalDigests(other, digest)).toBe(false);
    }
  });

  it.each(["", digest.slice(1), digest.slice(0, -1), `${digest}0`, digest.toUpperCase()])(
    "differ from %j",
    (other) => {
      expect([equalDigests(digest, other), equalDigests(other, digest)]).toEqual([false, false]);
    },
  );
});
