import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { chooseCall } from "../../../../infra/start/choose-call.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";

const server = serverConfigSchema.parse({ name: "mine", type: "mcp", command: "npx" });
const tool = (name: string, required: string[], annotations: object | null = null) => ({
  name,
  qualified_name: `mine__${name}`,
  server: "mine",
  original_name: name,
  title: null,
  description: null,
  output_schema: null,
  annotations,
  meta: null,
  input_schema: { type: "object", properties: { n: { type: "number" } }, required },
});

/** What is chosen where the edge answers a list so. */
async function chosen(answer: unknown) {
  const edge = createServer((_, response) => response.end(JSON.stringify(answer)));
  edge.listen(0, "127.0.0.1");
  await once(edge, "listening");
  const address = edge.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    return await chooseCall({ url: `http://127.0.0.1:${port}`, key: "k" }, server);
  } finally {
    edge.close();
  }
}

describe("the call that is shown of a user's server", () => {
  it("is of a tool that only reads, before one that may change something", async () => {
    const tools = [
      tool("wipe", []),
      tool("odd", ["list"]),
      tool("look", ["n"], { readOnlyHint: true }),
    ];
    expect(await chosen({ success: true, tools, servers: [{ name: "mine" }] })).toEqual({
      call: { server: "mine", tool: "look", arguments: { n: 1 } },
      problem: null,
    });
  });

  it("has no arguments where they are not simple", async () => {
    const { call } = await chosen({ success: true, tools: [tool("odd", ["list"])], servers: [] });
    expect(call).toEqual({ server: "mine", tool: "odd", arguments: {} });
  });

  it("names no tool where the server failed, and tells why", async () => {
    const error = { code: "CONNECTION_FAILED", message: "No connection.", hint: "Look." };
    const answer = { success: false, tools: [], servers: [{ name: "mine", error }] };
    expect(await chosen(answer)).toEqual({
      call: { server: "mine", tool: "TOOL", arguments: {} },
      problem:
        "The tools of 'mine' could not be listed: CONNECTION_FAILED: No connection.\n    Look.",
    });
  });
});
