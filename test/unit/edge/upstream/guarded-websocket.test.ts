import { describe, expect, it } from "vitest";
import { guardedWebSocket } from "../../../../functions/edge/upstream/guarded-websocket.ts";

interface Seen {
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: unknown;
}

/** Opens `url` with a fetch that keeps what it was asked for. */
async function open(url: string, development: boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const target = input instanceof Request ? input.url : String(input);
    seen.push({ url: target, headers: new Headers(init?.headers), redirect: init?.redirect });
    return new Response(null, { status: 200 });
  };
  const request = { headers: { "x-api-key": "k" }, subprotocol: "mcp" };
  const { signal } = new AbortController();
  await guardedWebSocket({ fetch, development })(url, { ...request, signal });
  return seen;
}

describe("the way to a WebSocket", () => {
  it("asks by HTTP for an upgrade, with the headers, and follows no redirect (case 52)", async () => {
    const [seen] = await open("wss://mcp.example.com/ws?wss=1", false);
    expect(seen?.url).toBe("https://mcp.example.com/ws?wss=1");
    expect(Object.fromEntries(seen?.headers ?? [])).toEqual({
      upgrade: "websocket",
      "sec-websocket-protocol": "mcp",
      "x-api-key": "k",
    });
    expect(seen?.redirect).toBe("manual");
  });

  it("is open to this machine in development alone", async () => {
    expect((await open("ws://127.0.0.1:4000/", true))[0]?.url).toBe("http://127.0.0.1:4000/");
    await expect(open("ws://127.0.0.1:4000/", false)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
  });

  it.each([
    ["https://mcp.example.com/", "url-scheme"],
    ["ws://mcp.example.com/", "url-cleartext"],
    ["wss://10.0.0.1/", "url-private-address"],
    ["wss://user:pass@mcp.example.com/", "url-userinfo"],
    ["wss://mcp.example.com/#x", "url-fragment"],
    ["wss://mcp.example.com:22/", "url-port"],
  ])("refuses %s before anything is sent (case 55)", async (url, reason) => {
    await expect(open(url, false)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      details: { reason },
    });
  });
});
