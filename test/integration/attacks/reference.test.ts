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

describe("what was valid when it was checked", () => {
  const url = "https://mcp.example.com/mcp";
  const headers = { authorization: "Bearer ${PRIZE}" };
  const config = { name: "a", type: "mcp", description: "d", transport: "http", url, headers };

  it.each<[string, Parameters<typeof attackedEdge>[0], string]>([
    ["its destination is no longer listed", { tenant: { send_to: {} } }, "REFERENCE_UNRESOLVED"],
    ["its host is no longer listed", { tenant: { policy: { hosts: [] } } }, "SERVER_NOT_ALLOWED"],
    [
      "its origin is revoked",
      { env: { GANGWAY_REVOKED: '{"origins":["https://mcp.example.com"]}' } },
      "URL_NOT_ALLOWED",
    ],
  ])("is judged anew at use: %s", async (_what, changes, code) => {
    const text = JSON.stringify({ tools: [config] });
    const errors = (await findingsOf(edge, { text })).filter((f) => f.severity === "error");
    expect(errors).toEqual([]);
    const later = await attackedEdge(changes);
    const answer = await later.post("/v1/tools/call", { config, tool: "t" });
    expect([codeOf(answer), later.left()]).toEqual([code, []]);
  });

  it("is refused where an input makes another address of it", async () => {
    const steered = { ...config, url: `${url}?next=\${WHERE}`, headers: { a: "x" } };
    const inputs = { WHERE: "x#@evil.example.net/../" };
    await edge.post("/v1/tools/call", { config: steered, inputs, tool: "t" });
    const [first = ""] = edge.left();
    expect(first).toContain("https://mcp.example.com/mcp?next=x%23%40evil.example.net%2F..%2F ");
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
