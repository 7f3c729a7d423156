import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../support/source-files.ts";

/** One scenario for clients, at the wire of one revision. */
export interface Scenario {
  readonly name: string;
  readonly revision: string;
  /** False: the suite runs it for information only. */
  readonly required: boolean;
}

/** What a revision requires, as the suite writes it down: the parts about clients. */
const requirementSet = z.object({
  client: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.string() })),
});

const folder = join(root, "node_modules/@modelcontextprotocol/conformance/requirements");

/**
 * Every scenario for clients that the suite knows for any revision, but those of OAuth: Gangway
 * is given its credentials and never asks a server for any.
 */
export function clientScenarios(): readonly Scenario[] {
  const revisions = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return revisions.toSorted().flatMap((file) => {
    const set = requirementSet.parse(parse(readFileSync(join(folder, file), "utf8")));
    const revision = file.replace(/\.yaml$/, "");
    const optional = set.not_scored.filter(({ leg }) => leg === "client");
    return [
      ...set.client.map((name) => ({ name, revision, required: true })),
      ...optional.map(({ scenario: name }) => ({ name, revision, required: false })),
    ].filter(({ name }) => !name.startsWith("auth/"));
  });
}
