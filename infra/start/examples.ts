import { basename } from "node:path";
import type { Deployment } from "../../shared/config/deployment.ts";
import { exampleServer } from "./example-server.ts";

export interface Example {
  readonly title: string;
  /** One line that a shell takes as it is. */
  readonly command: string;
}

/** What the examples call. */
export interface ExampleCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Where the examples are sent. */
export interface ExampleEdge {
  readonly url: string;
  readonly key: string;
}

const agentYaml = `tools:
  - name: everything
    description: ${exampleServer.description}
    type: mcp
    command: npx
    args: [-y, "${exampleServer.args[1]}"]
`;

/** Three requests to try: validate a config, list the tools in scope, call one. */
export function examples(edge: ExampleEdge, deployment: Deployment): Example[] {
  const configured = deployment.mcp_servers.some(({ name }) => name === exampleServer.name);
  const scope = configured ? {} : { config: { tools: [exampleServer] } };
  const body = { files: [{ path: "agent.yaml", text: agentYaml }] };
  const { name: server } = exampleServer;
  const call = { ...scope, server, tool: "get-sum", arguments: { a: 2, b: 40 } };
  return [
    { title: "Validate a config", command: post(edge, "/v1/validate", body) },
    { title: "List the tools", command: post(edge, "/v1/tools/list", scope) },
    { title: "Call a tool", command: post(edge, "/v1/tools/call", call) },
  ];
}

/** The same with a config of the user's own, and a tool of its first server that can be used. */
export function ownExamples(edge: ExampleEdge, file: string, call: ExampleCall): Example[] {
  const { server } = call;
  const path = `/v1/validate?format=text&path=${encodeURIComponent(basename(file))}`;
  const data = `--data-binary ${quoted(`@${file}`)}`;
  return [
    {
      title: `Validate ${basename(file)}`,
      command: `${curl(edge, path, "text/plain")} ${data}`,
    },
    {
      title: `List the tools of '${server}'`,
      command: post(edge, "/v1/tools/list", { servers: [server] }),
    },
    { title: `Call a tool of '${server}'`, command: post(edge, "/v1/tools/call", call) },
  ];
}

function post(edge: ExampleEdge, path: string, body: unknown): string {
  return `${curl(edge, path, "application/json")} -d ${quoted(JSON.stringify(body))}`;
}

function curl({ url, key }: ExampleEdge, path: string, type: string): string {
  const headers = [`authorization: Bearer ${key}`, `content-type: ${type}`];
  return `curl -sS ${quotedUrl(`${url}${path}`)} ${headers.map((header) => `-H ${quoted(header)}`).join(" ")}`;
}

function quotedUrl(url: string): string {
  return /[?&]/.test(url) ? quoted(url) : url;
}

/** For POSIX shells: nothing is special within single quotes but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
