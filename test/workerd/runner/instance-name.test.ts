import { describe, expect, it } from "vitest";
import { instanceName } from "../../../functions/runner/instance-name.ts";

const secret = "a secret that is long enough for it";
const nameOf = (tenant: string, submitted = false, key = secret) =>
  instanceName({ tenant, submitted }, key);

describe("the name of a tenant's instance", () => {
  it("is the same each time, and tells nothing of the tenant", async () => {
    const name = await nameOf("acme");
    expect(name).toBe(await nameOf("acme"));
    expect(name).toMatch(/^[\w-]{43}$/);
  });

  it("differs by tenant, by secret, and by who wrote the server", async () => {
    const names = [
      await nameOf("acme"),
      await nameOf("acme", true),
      await nameOf("globex"),
      await nameOf("acme", false, `${secret}!`),
      // No tenant's name reaches another one's second instance.
      await nameOf("acme:submitted"),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(names[1]).toBe(`${names[0]}:submitted`);
  });
});
