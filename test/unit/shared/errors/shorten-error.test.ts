import { describe, expect, it } from "vitest";
import { shortenDetails, shortenText } from "../../../../shared/errors/shorten-error.ts";

describe("shortenText", () => {
  it("leaves a text of up to 4,096 characters as it is", () => {
    expect(shortenText("x".repeat(4_096))).toBe("x".repeat(4_096));
  });

  it("cuts a longer one and says so, never inside a character", () => {
    const cut = shortenText("😀".repeat(3_000));
    expect(cut).toHaveLength(4_096);
    expect(cut.endsWith("…")).toBe(true);
    expect(cut.isWellFormed()).toBe(true);
  });
});

describe("shortenDetails", () => {
  it("keeps small values of every kind", () => {
    const details = { rpc_code: -32000, rpc_data: { a: [1, null, "x"] }, signal: null };
    expect(shortenDetails(details)).toEqual(details);
  });

  it("gives the start of data that is too large, as JSON text", () => {
    const { rpc_data } = shortenDetails({ rpc_data: { blob: "y".repeat(3_000_000) } });
    expect(rpc_data).toBe(`{"blob":"${"y".repeat(4_086)}…`);
  });
});
