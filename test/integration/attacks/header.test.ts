import { beforeAll, describe, expect, it } from "vitest";
import { headerAttacks } from "./header-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, rulesThatRefuse } from "./walls.ts";

let edge: AttackedEdge;
beforeAll(async () => {
  edge = await attackedEdge();
});

const base = {
  name: "a",
  type: "mcp",
  description: "d",
  transport: "http",
  url: "https://mcp.example.com/mcp",
};

describe.each(headerAttacks)("a header with $what ($name)", ({ name, value }) => {
  const config = { ...base, headers: { [name]: value } };

  it("is refused by the validator", async () => {
    expect(await rulesThatRefuse(edge, config)).toContain("GW308");
  });

  it("is refused in a call, before anything leaves", async () => {
    const answer = await edge.post("/v1/tools/call", { config, tool: "t" });
    // A NUL makes the whole document unreadable.
    const code = value.includes("\0") ? "CONFIG_SYNTAX" : "CONFIG_INVALID";
    expect([codeOf(answer), edge.left()]).toEqual([code, []]);
  });

  it.each(["submitted", "tenant"] as const)(
    "is refused by the operation path alone, of a server of the %s",
    (source) => {
      expect(edge.guardCode(config, source)).toBe("URL_NOT_ALLOWED");
    },
  );
});

const values = headerAttacks.filter(({ name }) => name === "X-Key");

describe.each(values)("a header that an input fills with $what", ({ value }) => {
  it("is refused at use: no validator has seen the value", async () => {
    const config = { ...base, headers: { "X-Key": "Bearer ${MINE}" } };
    const answer = await edge.post("/v1/tools/call", {
      config,
      inputs: { MINE: value },
      tool: "t",
    });
    expect([codeOf(answer), edge.left()]).toEqual(["URL_NOT_ALLOWED", []]);
    expect(answer.text).not.toContain(JSON.stringify(value).slice(1, -1));
  });
});

describe("the same walls", () => {
  it("let an honest header pass", async () => {
    const config = { ...base, headers: { Authorization: "Bearer ${MINE}", "X-Api-Key": "a b~!" } };
    expect(await rulesThatRefuse(edge, config)).toEqual([]);
    expect(edge.guardCode(config, "tenant")).toBe("passed");
    await edge.post("/v1/tools/call", { config, inputs: { MINE: "my-own-token" }, tool: "t" });
    expect(edge.left().join()).toContain("Bearer my-own-token");
  });
});
