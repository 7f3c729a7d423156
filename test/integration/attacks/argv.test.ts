import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, runRequest } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";
import { argvAttacks } from "./argv-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, rulesThatRefuse } from "./walls.ts";

let edge: AttackedEdge;
let host: StartedHost;
beforeAll(async () => {
  [edge, host] = await Promise.all([attackedEdge(), startHost()]);
});
afterAll(() => host.dispose());

const entry = ({ command, args }: { command: string; args: readonly string[] }) => ({
  name: "a",
  type: "mcp",
  description: "d",
  command,
  args,
});

describe.each(argvAttacks)("$command: $what ($args)", (attack) => {
  it("is refused by the validator", async () => {
    expect(await rulesThatRefuse(edge, entry(attack))).toEqual([attack.rule]);
  });

  it("is refused in a call, and the host hears nothing", async () => {
    const answer = await edge.post("/v1/tools/call", { config: entry(attack), tool: "t" });
    expect([codeOf(answer), edge.left()]).toEqual(["LAUNCH_NOT_ALLOWED", []]);
  });

  it.each(["submitted", "tenant"] as const)(
    "is refused by the operation path alone, of a server of the %s",
    (source) => {
      expect(edge.guardCode(entry(attack), source)).toBe("LAUNCH_NOT_ALLOWED");
    },
  );

  it("is refused by the host, though the ticket is right", async () => {
    const events = await host.run(runRequest(null, { launch: attack.launch }));
    expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", executed: "no" });
  });
});
