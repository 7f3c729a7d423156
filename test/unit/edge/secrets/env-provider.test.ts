import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { envProvider } from "../../../../functions/edge/secrets/env-provider.ts";

const values = new Map([
  ["SHARED", "shared-value"],
  ["ACME__TOKEN", "acme-token"],
  ["ACME__SHARED", "acme-shared"],
  ["BIG_CORP__TOKEN", "big-corp-token"],
  ["DEPLOYMENT__TOKEN", "deployment-token"],
  // Of the tenant `acme-`, whose id ends with a hyphen.
  ["ACME___TOKEN", "acme-hyphen-token"],
  ["_HIDDEN", "shared-hidden"],
]);
const provider = envProvider(values);

async function get(namespace: string, name: string): Promise<string | undefined> {
  return (await provider.getSecrets(namespace, [name])).get(name);
}

describe("secrets in the Worker's variables", () => {
  it.each([
    ["acme", "TOKEN", "acme-token"],
    ["big-corp", "TOKEN", "big-corp-token"],
    ["deployment", "TOKEN", "deployment-token"],
    ["acme-", "TOKEN", "acme-hyphen-token"],
    ["acme", "SHARED", "acme-shared"],
    ["big-corp", "SHARED", "shared-value"],
    ["acme", "_HIDDEN", "shared-hidden"],
  ])("gives namespace %s for %s: %s", async (namespace, name, value) => {
    expect(await get(namespace, name)).toBe(value);
  });

  it.each([
    ["acme", "BIG_CORP__TOKEN", "another tenant's variable by its whole name"],
    ["acme", "_TOKEN", "a name that completes another tenant's prefix"],
    ["acme", "ACME__TOKEN", "its own variable by its whole name"],
    ["acme", "../TOKEN", "a name that is no reference"],
    ["ACME", "TOKEN", "a namespace that is no tenant id"],
    ["acme", "MISSING", "what is not stored"],
  ])("gives namespace %s nothing for %s: %s", async (namespace, name) => {
    expect(await get(namespace, name)).toBeUndefined();
  });

  it("gives the same when asked again past the cache", async () => {
    expect(await provider.refresh("acme", ["TOKEN"])).toEqual(new Map([["TOKEN", "acme-token"]]));
  });

  it("never gives a tenant another tenant's value, by any name (case 26)", async () => {
    const tenant = fc.stringMatching(/^[a-z][a-z0-9-]{1,6}$/);
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(tenant, tenant, name, name, async (owner, other, owned, asked) => {
        fc.pre(owner !== other);
        const variable = `${owner.toUpperCase().replaceAll("-", "_")}__${owned}`;
        const only = envProvider(new Map([[variable, "owned-value"]]));
        const tries = [asked, owned, variable, `_${owned}`, variable.slice(other.length + 2)];
        expect((await only.getSecrets(other, tries)).size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
