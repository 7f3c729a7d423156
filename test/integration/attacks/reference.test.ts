import { beforeAll, describe, expect, it } from "vitest";
import { referenceAttacks } from "./reference-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, findingsOf, prize } from "./walls.ts";

let edge: AttackedEdge;
beforeAll(async () => {
  edge = await attackedEdge();
});

describe.each(referenceAttacks)("a stored secret $what", (attack) => {
  const config = { name: "a", type: "mcp", description: "d", ...attack.server };

  it("is told by the validator", async () => {
    const findings = await findingsOf(edge, { text: JSON.stringify({ tools: [config] }) });
    const errors = findings.filter(({ severity }) => severity === "error").map(({ id }) => id);
    if (attack.rule === null) expect(errors).toEqual([]);
    else expect(errors).toContain(attack.rule);
  });

  it.each([false, true])(
    "goes nowhere in a call (with the operator's servers: %s)",
    async (all) => {
      const { inputs = {} } = attack;
      const scope = { include_configured: all, server: "a" };
      const answer = await edge.post("/v1/tools/call", { config, inputs, tool: "t", ...scope });
      const left = edge.left();
      expect(left.join() + answer.text).not.toContain(prize);
      if (attack.code !== null) expect([codeOf(answer), left]).toEqual([attack.code, []]);
      else expect(left.length).toBeGreaterThan(0);
    },
  );
});

const beyond = referenceAttacks.flatMap(({ what, server, guard }) =>
  guard === null ? [] : [{ what, server, code: guard }],
);

describe.each(beyond)("a stored secret $what", ({ server, code }) => {
  it("is refused by the operation path, were it there already", () => {
    expect(edge.guardCode({ description: "d", ...server })).toBe(code);
  });
});

describe("the same walls", () => {
  it("let the secret go where it may", async () => {
    const url = "https://mcp.example.com/mcp/v1";
    const headers = { authorization: "Bearer ${PRIZE}" };
    const config = { name: "a", type: "mcp", description: "d", transport: "http", url, headers };
    const text = JSON.stringify({ tools: [config] });
    expect((await findingsOf(edge, { text })).filter((f) => f.severity === "error")).toEqual([]);
    expect(edge.guardCode(config)).toBe("passed");
    await edge.post("/v1/tools/call", { config, tool: "t" });
    expect(edge.left().join()).toContain(`Bearer ${prize}`);
  });
});
