import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, runRequest } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";
import { envAttacks } from "./env-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, rulesThatRefuse } from "./walls.ts";

let edge: AttackedEdge;
let host: StartedHost;
beforeAll(async () => {
  [edge, host] = await Promise.all([attackedEdge(), startHost()]);
});
afterAll(() => host.dispose());

const base = { name: "a", type: "mcp", description: "d" };
const launched = { ...base, command: "npx", args: ["-y", "good@1.0.0"] };

describe.each(envAttacks)("a variable for $what ($name)", ({ name, value, optional }) => {
  const entry = { ...launched, env: { [name]: value } };

  it("is refused by the validator", async () => {
    expect(await rulesThatRefuse(edge, entry)).toEqual(["GW209"]);
  });

  it("is refused in a call, and the host hears nothing", async () => {
    const answer = await edge.post("/v1/tools/call", { config: entry, tool: "t" });
    expect([codeOf(answer), edge.left()]).toEqual(["LAUNCH_NOT_ALLOWED", []]);
  });

  it.each(["submitted", "tenant"] as const)(
    "is refused by the operation path alone, of a server of the %s",
    (source) => {
      expect(edge.guardCode(entry, source)).toBe("LAUNCH_NOT_ALLOWED");
    },
  );

  it("is refused by the host, though the ticket is right and sets the name free", async () => {
    for (const place of ["env", "secret_env"]) {
      const launch = { [place]: { [name]: value }, env_opt_in: optional ? [] : [name] };
      const events = await host.run(runRequest(null, { launch }));
      expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", executed: "no" });
    }
  });
});

const plain = envAttacks.filter(({ name }) => /^[A-Za-z_]+$/.test(name));

describe.each(plain)("a variable for $what ($name), elsewhere", ({ name, value }) => {
  it("is refused in an env file", async () => {
    const config = { ...launched, env_file: ".env" };
    const env_files = { ".env": `${name}=${value}\n` };
    const answer = await edge.post("/v1/tools/call", { config, env_files, tool: "t" });
    expect([codeOf(answer), edge.left()]).toEqual(["LAUNCH_NOT_ALLOWED", []]);
  });

  it.each([[[`${name}=${value}`]], [[name]]])(
    "is refused as -e %s of a container",
    async (words) => {
      const image = `good/image@sha256:${"0".repeat(64)}`;
      const args = ["run", "-i", "--rm", ...words.flatMap((word) => ["-e", word]), image];
      const config = { ...base, command: "docker", args };
      const answer = await edge.post("/v1/tools/call", { config, tool: "t" });
      expect([codeOf(answer), edge.left()]).toEqual(["LAUNCH_NOT_ALLOWED", []]);
      expect(edge.guardCode(config)).toBe("LAUNCH_NOT_ALLOWED");
    },
  );
});
