import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

export interface GatedServer {
  readonly url: string;
  /** Which bearer token each path takes; null refuses all. */
  readonly accept: (path: string, token: string | null) => void;
  /** How often the tool ran. */
  readonly runs: () => number;
  /** Requests that were refused. */
  readonly refusals: () => number;
  readonly close: () => Promise<void>;
}

/** A real MCP server that answers 401 to any other bearer token than the accepted one of the path. */
export async function startGatedServer(): Promise<GatedServer> {
  const accepted = new Map<string, string | null>();
  let runs = 0;
  let refusals = 0;
  let token = "";
  const listener = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: "gated", version: "1.0.0" });
      server.registerTool("whoami", { description: "Tells the token that came." }, () => {
        runs += 1;
        return { content: [{ type: "text", text: `token ${token}, ${btoa(`user:${token}`)}` }] };
      });
      return server;
    }),
  );
  const server = createServer((request, response) => {
    const expected = accepted.get(request.url ?? "") ?? null;
    if (expected === null || request.headers.authorization !== `Bearer ${expected}`) {
      refusals += 1;
      return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    }
    token = expected;
    // Node's own type says `string | undefined` where the adapter's says `string`.
    void listener(request as NodeIncomingMessageLike, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accept: (path, value) => void accepted.set(path, value),
    runs: () => runs,
    refusals: () => refusals,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
