import { Agent, request } from "node:http";
import { signTicket } from "../../shared/run-contract/ticket.ts";
import { callRequest } from "../support/run-request.ts";
import type { StartedHost } from "../support/start-host.ts";
import type { Deployed } from "./deployed.ts";
import type { Call } from "./direct-clients.ts";

/** Does one call and throws when the answer is not the expected one. */
export type Caller = () => Promise<void>;

interface Posted {
  readonly method?: "POST" | "DELETE";
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Answer {
  readonly text: string;
  readonly session: string;
}

/** The least that a client costs: one POST on a connection that is kept, the answer as text. */
class Poster {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** A connection that the server had just closed as idle is replaced. */
  async send(posted: Posted): Promise<Answer> {
    try {
      return await this.#sendOnce(posted);
    } catch (error) {
      if (error instanceof IdleConnectionClosed) return this.#sendOnce(posted);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #sendOnce({ method = "POST", headers, body }: Posted): Promise<Answer> {
    const all = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers,
    };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = { method, agent: this.#agent, headers: all };
    const sent = request(this.#url, options, (response) => {
      const session = String(response.headers["mcp-session-id"] ?? "");
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ text, session }));
      response.once("error", reject);
    });
    sent.once("error", (error) => reject(sent.reusedSocket ? new IdleConnectionClosed() : error));
    sent.end(body);
    return promise;
  }
}

class IdleConnectionClosed extends TypeError {
  override readonly name = "IdleConnectionClosed";
}

/** Calls through edge and host. */
export function gangwayCaller({ url, key }: Deployed, server: string, call: Call): Caller {
  const poster = new Poster(`${url}/v1/tools/call`);
  const body = JSON.stringify({ server, tool: call.tool, arguments: call.arguments });
  const headers = { authorization: `Bearer ${key}` };
  return async () => {
    const { text } = await poster.send({ headers, body });
    expectText(text, call.expected);
    if (!text.includes('"success":true')) throw new TypeError(`the answer is ${text}`);
  };
}

/** Calls through the host alone, by its contract; the tickets are signed beforehand. */
export function hostCaller(
  host: Pick<StartedHost, "url" | "ticketKey">,
  launch: { readonly package: string; readonly version: string },
  call: Call,
): { readonly prepare: (calls: number) => Promise<void>; readonly call: Caller } {
  const poster = new Poster(`${host.url}/v1/run`);
  const run = callRequest(null, call.tool, call.arguments, { launch });
  const body = JSON.stringify(run);
  const bytes = new TextEncoder().encode(body);
  const tickets: string[] = [];
  return {
    prepare: async (calls) => {
      const nowS = Math.floor(Date.now() / 1000);
      const sign = () => signTicket(host.ticketKey, { tenant: run.tenant, body: bytes, nowS });
      tickets.length = 0;
      for (let ticket = 0; ticket < calls; ticket += 1) tickets.push(await sign());
    },
    call: async () => {
      const authorization = `Bearer ${tickets.pop() ?? ""}`;
      const { text } = await poster.send({ headers: { authorization }, body });
      expectText(text, call.expected);
    },
  };
}

/** Calls on one session of an MCP server over streamable HTTP, opened once. */
export async function sessionCaller(url: string, call: Call): Promise<Caller> {
  const session = await openSession(url);
  return () => session.call(call);
}

/** Calls on a session of its own each, which is ended afterwards. */
export function freshSessionCaller(url: string, call: Call): Caller {
  return async () => {
    const session = await openSession(url);
    await session.call(call);
    await session.end();
  };
}

async function openSession(url: string) {
  const poster = new Poster(url);
  const protocolVersion = "2025-06-18";
  const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
  const send = (message: object) =>
    poster.send({ headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  const clientInfo = { name: "gangway-bench", version: "1.0.0" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const opened = await send({ id: 0, method: "initialize", params });
  headers["mcp-session-id"] = opened.session;
  headers["mcp-protocol-version"] = protocolVersion;
  await send({ method: "notifications/initialized" });
  let id = 0;
  return {
    call: async ({ tool, arguments: args, expected }: Call) => {
      const named = { name: tool, arguments: args };
      const { text } = await send({ id: ++id, method: "tools/call", params: named });
      expectText(text, expected);
    },
    end: async () => {
      await poster.send({ method: "DELETE", headers, body: "" });
      poster.close();
    },
  };
}

function expectText(text: string, expected: string): void {
  if (!text.includes(expected)) throw new TypeError(`the answer is ${text.slice(0, 500)}`);
}
