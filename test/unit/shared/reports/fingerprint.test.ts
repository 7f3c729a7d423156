import { describe, expect, it } from "vitest";
import { fingerprints } from "../../../../shared/reports/fingerprint.ts";
import { file, finding } from "./samples.ts";

const base = finding();

describe("fingerprints", () => {
  it("keeps the name when lines shift or the message is worded anew", () => {
    const shifted = finding({ line: 90, column: 3, end_line: 91, message: "line 90", hint: "" });
    expect(fingerprints()(file(), shifted)).toBe(fingerprints()(file(), base));
  });

  it.each([
    ["rule", file(), finding({ id: "GW204" })],
    ["pointer", file(), finding({ pointer: "/mcp_servers/1/args/1" })],
    ["path", file({ path: "other.yaml" }), base],
  ])("gives another name for another %s", (_what, other, changed) => {
    expect(fingerprints()(other, changed)).not.toBe(fingerprints()(file(), base));
  });

  it("tells repeated findings of one place apart, the same in every run", () => {
    const run = () => {
      const fingerprint = fingerprints();
      return [base, base, base].map((one) => fingerprint(file(), one));
    };
    expect(new Set(run()).size).toBe(3);
    expect(run()).toEqual(run());
  });

  it("does not mix up parts that only join to the same text", () => {
    const one = fingerprints()(file({ path: 'a","b' }), finding({ pointer: "c" }));
    const other = fingerprints()(file({ path: "a" }), finding({ pointer: 'b","c' }));
    expect(one).not.toBe(other);
  });
});
