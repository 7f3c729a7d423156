import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

let edge: Gangway;
beforeAll(async () => {
  edge = await startGangway({ host: false });
});
afterAll(async () => edge.close());

describe.each([["plain"], ["deflate"]])(
  "a server of the v1 SDK over WebSocket (%s), through the edge",
  (compression) => {
    let server: StartedFixture;
    let url: string;
    beforeAll(async () => {
      server = await startFixture("websocket/sdk-server.ts", [compression]);
      url = server.url.replace(/^http/, "ws");
    });
    afterAll(async () => server.close());

    const config = (fields: Record<string, unknown> = {}) => ({
      config: { name: "fixture", type: "mcp", transport: "websocket", url, ...fields },
    });

    it("is one that the v1 SDK's own client understands", async () => {
      const client = new Client({ name: "gangway-test", version: "1.0.0" });
      await client.connect(new WebSocketClientTransport(new URL(url)));
      const result = await client.callTool({ name: "echo", arguments: { a: [1] } });
      expect(result.content).toEqual([{ type: "text", text: '{"a":[1]}' }]);
      await client.close();
    });

    it("lists all pages of its tools (case 49)", async () => {
      const { body } = await edge.post("/v1/tools/list", config());
      expect(body["tools"]).toMatchObject(
        ["echo", "progress", "wait", "capabilities", "fail"].map((name) => ({ name })),
      );
    });

    it("serves the calls of one request on one connection, and has none left after it", async () => {
      const texts = Array.from({ length: 16 }, (_, n) => `${n} Grüße 😀`);
      const calls = texts.map((text) => ({ tool: "echo", arguments: { text } }));
      const { body } = await edge.post("/v1/tools/call", { ...config(), calls });
      expect(body["results"]).toMatchObject(
        texts.map((text) => ({
          success: true,
          content: [{ type: "text", text: JSON.stringify({ text }) }],
          metadata: { transport: "websocket", era: "legacy", upstream_requests: 1 },
        })),
      );
      const idle = await fetch(`${server.url}/idle`, { signal: AbortSignal.timeout(2_000) });
      expect(await idle.text()).toBe("0");
    });

    it("tells a tool's own failure as a result (case 41)", async () => {
      const answer = await edge.post("/v1/tools/call", { ...config(), tool: "fail" });
      expect(answer).toMatchObject({ status: 200, body: { status: "tool_error" } });
    });

    it("hands the config of its entry on", async () => {
      const body = { ...config({ config: { region: "eu" } }), tool: "capabilities" };
      const answer = await edge.post("/v1/tools/call", body);
      expect(JSON.stringify(answer.body["content"])).toContain("region");
    });
  },
);
