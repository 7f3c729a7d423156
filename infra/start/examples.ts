import type { Deployment } from "../../shared/config/deployment.ts";
import { exampleServer } from "./example-server.ts";

export interface Example {
  readonly title: string;
  /** One line that a shell takes as it is. */
  readonly command: string;
}

const agentYaml = `tools:
  - name: everything
    description: ${exampleServer.description}
    type: mcp
    command: npx
    args: [-y, "${exampleServer.args[1]}"]
`;

/** Three requests to try: validate a config, list the tools in scope, call one. */
export function examples(edge: string, key: string, deployment: Deployment): Example[] {
  const post = (path: string, body: unknown) => curl(`${edge}${path}`, key, body);
  const configured = deployment.mcp_servers.some(({ name }) => name === exampleServer.name);
  const scope = configured ? {} : { config: { tools: [exampleServer] } };
  return [
    {
      title: "Validate a config",
      command: post("/v1/validate", { files: [{ path: "agent.yaml", text: agentYaml }] }),
    },
    { title: "List the tools", command: post("/v1/tools/list", scope) },
    {
      title: "Call a tool",
      command: post("/v1/tools/call", {
        ...scope,
        server: exampleServer.name,
        tool: "get-sum",
        arguments: { a: 2, b: 40 },
      }),
    },
  ];
}

function curl(url: string, key: string, body: unknown): string {
  const headers = [`authorization: Bearer ${key}`, "content-type: application/json"];
  return `curl -sS ${url} ${headers.map((header) => `-H ${quoted(header)}`).join(" ")} -d ${quoted(JSON.stringify(body))}`;
}

/** For POSIX shells: nothing is special within single quotes but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
