interface RpcRequest {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What the server answers to a request: a result, or a JSON-RPC error. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

export interface Upstream {
  readonly fetch: typeof globalThis.fetch;
  /** Methods that were asked for, the handshake's apart. */
  readonly methods: string[];
}

const handshake = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: "upstream", version: "1.0.0" },
};

/**
 * A server of the legacy era in place of the network, for servers with `protocol: legacy`. What
 * `answer` does not answer is an unknown method.
 */
export function upstream(
  answer: (method: string, params: Readonly<Record<string, unknown>>) => RpcAnswer | undefined,
): Upstream {
  const methods: string[] = [];
  async function respond(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method, params = {} } = await request.json<RpcRequest>();
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") return rpc(id, { result: handshake });
    methods.push(method);
    return rpc(id, answer(method, params) ?? { error: { code: -32601, message: "no method" } });
  }
  return { fetch: respond, methods };
}

function rpc(id: number | string, answer: RpcAnswer): Response {
  return Response.json({ jsonrpc: "2.0", id, ...answer });
}
