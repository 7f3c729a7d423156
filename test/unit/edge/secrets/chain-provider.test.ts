import { describe, expect, it } from "vitest";
import { chainProvider } from "../../../../functions/edge/secrets/chain-provider.ts";
import type { SecretProvider } from "../../../../functions/edge/secrets/secret-provider.ts";

function recorded(values: Record<string, string>, log: string[]): SecretProvider {
  const answer = (question: string) => async (_namespace: string, names: readonly string[]) => {
    log.push(`${question} ${names.join()}`);
    return new Map(Object.entries(values).filter(([name]) => names.includes(name)));
  };
  return { getSecrets: answer("get"), refresh: answer("refresh") };
}

describe("a chain of providers", () => {
  it("asks each only for what the earlier ones do not have", async () => {
    const first: string[] = [];
    const second: string[] = [];
    const chain = chainProvider([
      recorded({ A: "a-of-first" }, first),
      recorded({ A: "a-of-second", B: "b-of-second" }, second),
    ]);
    const values = await chain.getSecrets("acme", ["A", "B", "C"]);
    expect(values).toEqual(
      new Map([
        ["A", "a-of-first"],
        ["B", "b-of-second"],
      ]),
    );
    expect([first, second]).toEqual([["get A,B,C"], ["get B,C"]]);
    await chain.refresh("acme", ["A"]);
    expect([first, second]).toEqual([["get A,B,C", "refresh A"], ["get B,C"]]);
  });

  it("fails when a provider fails, and asks no later one", async () => {
    const later: string[] = [];
    const fail = async () => {
      throw new TypeError("down");
    };
    const chain = chainProvider([{ getSecrets: fail, refresh: fail }, recorded({ A: "x" }, later)]);
    await expect(chain.getSecrets("acme", ["A"])).rejects.toThrow("down");
    expect(later).toEqual([]);
  });

  it("gives nothing without providers", async () => {
    expect((await chainProvider([]).getSecrets("acme", ["A"])).size).toBe(0);
  });
});
