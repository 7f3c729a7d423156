import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { checkLaunch } from "../../../functions/host/launch/check-launch.ts";
import {
  corpus,
  corpusHeaders,
  corpusLaunches,
  corpusUrls,
  registryLaunches,
} from "../../unit/shared/policy/corpus.ts";
import { type AttackedEdge, attackedEdge, codeThrown, rulesThatRefuse } from "./walls.ts";

let edge: AttackedEdge;
beforeAll(async () => {
  edge = await attackedEdge();
});

interface Honest {
  /** The sample that it stands in, where one is known. */
  readonly name: string;
  readonly server: Readonly<Record<string, unknown>>;
}

const base = { name: "a", type: "mcp", description: "d" };
const remote = { ...base, transport: "http", url: "https://mcp.example.com/mcp" };

/** What samples hold that asks for no more than the rules give; `test/unit/shared/policy/corpus.test.ts` lists the rest. */
const outside =
  /^(?:git\+|mcp$|tsx$|\{\{|<<)|\$\{VERSION\}|\$VERSION|\{\{VERSION\}\}|^agentrpc\/|^host$|^type=bind,src=C:|<<Version>>/;

function honestInputs(): Honest[] {
  const launches = [...corpusLaunches(), ...registryLaunches()]
    .filter(({ args }) => !args.some((arg) => outside.test(arg)))
    .map(({ file, command, args, env }) => {
      const names = env.filter((name) => name !== "HOME");
      const variables = Object.fromEntries(names.map((name) => [name, "value"]));
      return { name: file, server: { ...base, command, args, env: variables } };
    });
  const urls = corpusUrls()
    .filter((url) => /^https:\/\/[\w.-]+\.[a-z]+(?:\/\S*)?$/i.test(url))
    .map((url) => ({ name: url, server: { ...base, transport: "http", url } }));
  const headers = corpusHeaders().map(([name, value]) => ({
    name,
    server: { ...remote, headers: { [name]: value } },
  }));
  return [...launches, ...urls, ...headers];
}

// The samples are test input of their own repository; without them there is nothing honest to try.
describe.runIf(existsSync(corpus))("honest inputs of public configs", () => {
  const inputs = existsSync(corpus) ? honestInputs() : [];

  it("are more than two hundred", () => {
    expect(inputs.length).toBeGreaterThanOrEqual(200);
  });

  it("pass the validator's rules on launches, addresses and headers", async () => {
    const refused: string[] = [];
    for (const { name, server } of inputs) {
      const rules = await rulesThatRefuse(edge, server);
      const ofWalls = rules.filter((id) => /^GW2|^GW3/.test(id));
      if (ofWalls.length > 0) refused.push(`${name} ${ofWalls.join(" ")}`);
    }
    expect(refused).toEqual([]);
  });

  it("pass the operation path", () => {
    const refused = inputs.flatMap(({ name, server }) => {
      const code = edge.guardCode(server, "tenant");
      return code === "passed" ? [] : [`${name} ${code}`];
    });
    expect(refused).toEqual([]);
  });

  it("pass the host's own check, as the edge sends them", () => {
    const launches = inputs.filter(({ server }) => "command" in server);
    const refused = launches.flatMap(({ name, server }) => {
      const code = codeThrown(() => checkLaunch(edge.launchOf(server)));
      return code === "passed" ? [] : [`${name} ${code}`];
    });
    expect(launches.length).toBeGreaterThanOrEqual(150);
    expect(refused).toEqual([]);
  });
});
