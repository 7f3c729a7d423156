import {
  Client,
  type PriorDiscovery,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
/* oxlint-disable typescript/no-deprecated -- the older transport is what is measured */
import type { Contestant } from "./measure.ts";

const clientInfo = { name: "gangway-bench", version: "1.0.0" };

/** The call that every contestant makes. */
export interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** What the first text block of the answer is. */
  readonly expected: string;
}

/** The SDK's client as its documentation shows it: a new session for every call. */
export function defaultClient(url: string, call: Call): Contestant {
  return {
    name: "direct, default client",
    run: async () => {
      const client = new Client(clientInfo, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      await callAndCheck(client, call);
      await client.close();
    },
  };
}

/** The least that a new session costs: the protocol revision known, no standing GET. */
export async function leanClient(url: string, call: Call): Promise<Contestant> {
  const prior = await discover(url);
  const withoutGet = async (input: string | URL, init?: RequestInit): Promise<Response> =>
    init?.method === "GET" ? new Response(null, { status: 405 }) : fetch(input, init);
  return {
    name: "direct, lean client",
    run: async () => {
      const client = new Client(clientInfo);
      const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: withoutGet });
      await client.connect(transport, { prior });
      await callAndCheck(client, call);
      await client.close();
    },
  };
}

/** The SDK's client over the older HTTP transport with its event stream. */
export function sseClient(url: string, call: Call): Contestant {
  return {
    name: "direct, default client",
    run: async () => {
      const client = new Client(clientInfo);
      await client.connect(new SSEClientTransport(new URL(url)));
      await callAndCheck(client, call);
      await client.close();
    },
  };
}

/** The v1 SDK's client: the newer SDK has no WebSocket. */
export function websocketClient(url: string, call: Call): Contestant {
  return {
    name: "direct, v1 client",
    run: async () => {
      const client = new ClientV1(clientInfo);
      await client.connect(new WebSocketClientTransport(new URL(url)));
      const { content } = await client.callTool({ name: call.tool, arguments: call.arguments });
      const [first] = content as { text?: string }[];
      if (first?.text !== call.expected)
        throw new TypeError("the direct client got another answer");
      await client.close();
    },
  };
}

/** One process, connected once, kept warm. */
export async function warmStdioClient(
  program: string,
  call: Call,
): Promise<Contestant & { readonly close: () => Promise<void> }> {
  const client = new Client(clientInfo);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    stderr: "ignore",
  });
  await client.connect(transport);
  return {
    name: "direct, warm stdio client",
    run: () => callAndCheck(client, call),
    close: () => client.close(),
  };
}

async function discover(url: string): Promise<PriorDiscovery> {
  const client = new Client(clientInfo, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const found = client.getDiscoverResult();
  await client.close();
  return found === undefined ? { kind: "legacy" } : { kind: "modern", discover: found };
}

async function callAndCheck(client: Client, call: Call): Promise<void> {
  const { content } = await client.callTool({ name: call.tool, arguments: call.arguments });
  const [first] = content;
  if (first?.type !== "text" || first.text !== call.expected) {
    throw new TypeError(`the direct client got ${JSON.stringify(first)}`);
  }
}
