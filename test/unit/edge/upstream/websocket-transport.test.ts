import { describe, expect, it } from "vitest";
import { WebSocketTransport } from "../../../../functions/edge/upstream/websocket-transport.ts";
import type { UpstreamSocket } from "../../../../functions/edge/upstream/websocket-upgrade.ts";

/** The runtime's end of a WebSocket, which says what a test has the server say. */
class Socket implements UpstreamSocket {
  binaryType = "";
  closedWith: number | undefined;
  readonly sent: string[] = [];
  readonly #listeners: ((event: never) => void)[] = [];

  accept(): void {}

  send(text: string): void {
    this.sent.push(text);
  }

  close(code?: number): void {
    this.closedWith = code;
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === "message") this.#listeners.push(listener);
  }

  says(message: object): void {
    const data = JSON.stringify({ jsonrpc: "2.0", ...message });
    for (const listener of this.#listeners) Reflect.apply(listener, undefined, [{ data }]);
  }
}

async function connected() {
  const socket = new Socket();
  const response = Object.assign(new Response(null), { webSocket: socket });
  const transport = new WebSocketTransport({
    url: "wss://mcp.example.com/",
    headers: {},
    open: async () => response,
    silenceMs: 60_000,
  });
  const failures: Error[] = [];
  const messages: unknown[] = [];
  transport.onerror = (error) => failures.push(error);
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  return { socket, failures, messages };
}

describe("a connection over WebSocket", () => {
  it("ends at the first of a server's own requests that is one too many", async () => {
    const { socket, failures, messages } = await connected();
    for (let id = 0; id < 1_000; id += 1) socket.says({ id, method: "ping" });
    expect([messages.length, failures]).toEqual([1_000, []]);
    for (let id = 1_000; id < 1_010; id += 1) socket.says({ id, method: "ping" });
    expect(messages.length).toBe(1_000);
    expect(failures).toMatchObject([
      { code: "RESPONSE_TOO_LARGE", executed: "maybe", details: { limit_requests: 1_000 } },
    ]);
    expect(socket.closedWith).toBeDefined();
  });

  it("ends at the first message that is one too many, whatever it says", async () => {
    const { socket, failures, messages } = await connected();
    for (let n = 0; n <= 100_000; n += 1) socket.says({ method: "notifications/progress" });
    expect(messages.length).toBe(100_000);
    expect(failures).toMatchObject([
      { code: "RESPONSE_TOO_LARGE", executed: "maybe", details: { limit_messages: 100_000 } },
    ]);
    expect(socket.closedWith).toBeDefined();
  });
});
