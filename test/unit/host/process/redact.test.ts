import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedact, redactJson } from "../../../../functions/host/process/redact.ts";

const secret = 's3cr3t/+ "value" ä';

describe("createRedact", () => {
  it.each([
    ["as it is", secret],
    ["in base64", Buffer.from(secret).toString("base64").replace(/=+$/, "")],
    ["in base64url", Buffer.from(secret).toString("base64url")],
    ["percent-encoded", encodeURIComponent(secret)],
    ["JSON-escaped", JSON.stringify(secret).slice(1, -1)],
  ])("masks a secret %s", (_how, form) => {
    const redact = createRedact({ secrets: [secret], plain: [] });
    expect(redact(`<${form}>`)).toBe("<***>");
  });

  it("leaves no secret in any text, whatever its characters", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((value) => !"***".includes(value)),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          const redact = createRedact({ secrets: [value], plain: [] });
          expect(redact(before + value + after).replaceAll("***", "")).not.toContain(value);
        },
      ),
      {
        examples: [
          ["$&", "", ""],
          ["(a|b", "x", "y"],
          ["\\", "", ""],
          ["a-b]", "", ""],
        ],
      },
    );
  });

  it("masks the longer of two values that begin alike", () => {
    expect(
      createRedact({ secrets: ["token", "token-extended"], plain: [] })("token-extended"),
    ).toBe("***");
  });

  it("leaves plain values that are mere words alone, and empty values of any kind", () => {
    expect(createRedact({ secrets: [""], plain: ["1", "en", ""] })("1 en text")).toBe("1 en text");
  });

  it("masks plain values that may be tokens", () => {
    const redact = createRedact({ secrets: [], plain: ["hunter2", "four", "six"] });
    expect(redact("hunter2, four and six")).toBe("***, *** and six");
  });
});

describe("redactJson", () => {
  it("reaches every string of a value, keys included", () => {
    const redact = createRedact({ secrets: ["hunter2"], plain: [] });
    expect(redactJson(redact, { "k-hunter2": [1, null, true, { deep: "hunter2!" }] })).toEqual({
      "k-***": [1, null, true, { deep: "***!" }],
    });
  });

  it("survives a value that is nested a hundred thousand levels deep", () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(JSON.stringify(redactJson((text) => text, deep))).toContain("…");
    const objects: unknown = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
    expect(JSON.stringify(redactJson((text) => text, objects))).toContain("…");
  });

  it("keeps a hundred levels", () => {
    const deep: unknown = JSON.parse('[{"a":'.repeat(49) + '["hunter2"]' + "}]".repeat(49));
    expect(JSON.stringify(redactJson(() => "masked", deep))).toContain('["masked"]');
  });
});
