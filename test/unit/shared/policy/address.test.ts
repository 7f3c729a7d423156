import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress } from "../../../../shared/policy/address.ts";

describe("classifyAddress", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2606:4700:4700::1111", "public"],
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["169.254.169.254", "metadata"],
    ["168.63.129.16", "metadata"],
    ["169.254.170.23", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["fd00:ec2::23", "metadata"],
    ["fd20:ce::254", "metadata"],
    ["10.0.0.1", "special"],
    ["::ffff:8.8.8.8", "special"],
    ["::8.8.8.8", "special"],
    ["2002:808:808::", "special"],
    ["64:ff9b::808:808", "special"],
    ["2a00::5efe:808:808", "special"],
    ["2a00::5eff:808:808", "public"],
    ["4000::1", "special"],
  ])("calls %s %s", (text, kind) => {
    expect(classifyAddress(text)).toBe(kind);
  });

  it.each(["", "example.com", "1.2.3.4.5", "256.1.1.1", "::1::", "[::1]", "g::1", "1.2.3.4:80"])(
    "calls %j no address",
    (text) => {
      expect(classifyAddress(text)).toBeNull();
    },
  );

  it("calls no address outside 2000::/3 public", () => {
    const outside = fc.integer({ min: 0, max: 0xffff }).filter((first) => first >>> 13 !== 1);
    fc.assert(
      fc.property(
        outside,
        fc.array(fc.nat({ max: 0xffff }), { minLength: 7, maxLength: 7 }),
        (first, rest) => {
          const text = [first, ...rest].map((part) => part.toString(16)).join(":");
          expect(classifyAddress(text)).not.toBe("public");
        },
      ),
    );
  });

  it("calls 6to4 and Teredo addresses special, whatever IPv4 address they carry", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("2002", "2001:0"), (ipv4, prefix) => {
        const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
        const embedded = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(classifyAddress(`${prefix}:${embedded}::1`)).toBe("special");
      }),
    );
  });
});
