import { describe, expect, it } from "vitest";
import { shortenDetails, shortenText } from "../../../../shared/errors/shorten-error.ts";

describe("shortenText", () => {
  it("gives 4,096 characters as they are", () => {
    const text = "x".repeat(4_096);
    expect(shortenText(text)).toBe(text);
  });

  it("cuts a longer text between characters, and marks the cut", () => {
    const text = `${"x".repeat(4_094)}😀😀`;
    const short = shortenText(text);
    expect([short.length, short.endsWith("x\ufffd…"), short.isWellFormed()]).toEqual([
      4_096,
      true,
      true,
    ]);
  });
});

describe("shortenDetails", () => {
  it("shortens texts and leaves the rest", () => {
    const details = { rpc_message: "x".repeat(5_000), rpc_code: 7, rpc_data: ["kept"] };
    const short = shortenDetails(details);
    expect(short).toEqual({ ...details, rpc_message: `${"x".repeat(4_095)}…` });
  });
});
