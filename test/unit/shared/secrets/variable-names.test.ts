import { describe, expect, it } from "vitest";
import { secretPrefix, variableNames } from "../../../../shared/secrets/variable-names.ts";

describe("the variables of a secret", () => {
  it.each([
    ["acme", "TOKEN", ["ACME__TOKEN", "TOKEN"]],
    ["acme-two-x", "TOKEN", ["ACME_TWO_X__TOKEN", "TOKEN"]],
    ["deployment", "a_b", ["DEPLOYMENT__a_b", "a_b"]],
    ["acme", "_TOKEN", ["_TOKEN"]],
    ["acme", "GLOBEX__TOKEN", []],
    ["acme", "TOKEN__", []],
    ["acme", "__TOKEN", []],
  ])("of %s named %s are %j", (namespace, name, expected) => {
    expect(variableNames(namespace, name)).toEqual(expected);
  });

  it("are written behind one prefix", () => {
    expect(secretPrefix).toBe("GW_SECRET_");
  });
});
