import type { Deployment } from "../../shared/config/deployment.ts";
import { chooseCall } from "./choose-call.ts";
import type { ConfigServers } from "./config-servers.ts";
import { type Example, type ExampleEdge, examples, ownExamples } from "./examples.ts";

/** The requests to show: with the user's own config, of its first server that can be used. */
export async function startExamples(
  edge: ExampleEdge,
  { deployment, config }: { deployment: Deployment; config: ConfigServers | null },
): Promise<Example[]> {
  if (config === null) return examples(edge, deployment);
  const { servers, unusable, file } = config;
  const usable = servers.filter(({ disabled }) => !disabled);
  const [first] = usable;
  console.log(`${namesLine("Servers", usable)}${namesLine("With errors", unusable)}`.trimEnd());
  if (first === undefined) return examples(edge, deployment);
  const { call, problem } = await chooseCall(edge, first);
  if (problem !== null) console.warn(problem);
  return ownExamples(edge, file, call);
}

function namesLine(title: string, servers: readonly { readonly name: string }[]): string {
  return servers.length === 0 ? "" : `${title}: ${servers.map(({ name }) => name).join(", ")}. `;
}
