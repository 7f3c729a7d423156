import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

let edge: Gangway;
beforeAll(async () => {
  edge = await startGangway({ host: false });
});
afterAll(async () => edge.close());

const facts = { transport: "sse", era: "legacy", protocol_version: "2025-11-25", warnings: [] };

function config(url: string, fields: Record<string, unknown> = {}) {
  return { config: { name: "fixture", type: "mcp", transport: "sse", url, ...fields } };
}

describe("the reference server over SSE, through the edge", () => {
  const program = fileURLToPath(
    import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
  );
  let url: string;
  let end: () => Promise<void>;

  beforeAll(async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [program, "sse"], {
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const exited = once(child, "exit");
    url = `http://127.0.0.1:${port}/sse`;
    end = async () => {
      child.kill("SIGKILL");
      await exited;
    };
    for await (const line of child.stderr.iterator({ destroyOnReturn: false })) {
      if (String(line).includes("running on port")) break;
    }
    child.stderr.resume();
  });
  afterAll(async () => end());

  it("lists all of its tools", async () => {
    const { body } = await edge.post("/v1/tools/list", config(url));
    expect(body["tools"]).toHaveLength(13);
    expect(body["servers"]).toMatchObject([{ name: "fixture", ok: true, ...facts }]);
  });

  it("answers a call with one stream and three POSTs", async () => {
    const args = { message: "Grüße 😀" };
    const body = { ...config(url), tool: "echo", arguments: args };
    const answer = await edge.post("/v1/tools/call", body);
    expect(answer.body).toMatchObject({
      success: true,
      content: [{ type: "text", text: "Echo: Grüße 😀" }],
      metadata: { ...facts, upstream_requests: 4 },
    });
  });

  it("keeps an image and its texts (case 40)", async () => {
    const { body } = await edge.post("/v1/tools/call", { ...config(url), tool: "get-tiny-image" });
    expect(body["content"]).toMatchObject([
      { type: "text" },
      { type: "image", mime_type: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "text" },
    ]);
  });

  it("serves the calls of one request on one connection", async () => {
    const calls = Array.from({ length: 16 }, (_, n) => ({
      tool: "echo",
      arguments: { message: `m${n}` },
    }));
    const { body } = await edge.post("/v1/tools/call", { ...config(url), calls });
    expect(body["results"]).toMatchObject(
      calls.map(({ arguments: { message } }) => ({
        success: true,
        content: [{ text: `Echo: ${message}` }],
      })),
    );
  });
});

describe("a server of the v1 SDK over SSE, through the edge", () => {
  let server: StartedFixture;
  beforeAll(async () => {
    server = await startFixture("sse/sdk-server.ts");
  });
  afterAll(async () => server.close());

  it("lists all pages of its tools (case 49)", async () => {
    const { body } = await edge.post("/v1/tools/list", config(`${server.url}/deep/sse`));
    expect(body["tools"]).toMatchObject(
      ["echo", "progress", "wait", "capabilities", "fail"].map((name) => ({ name })),
    );
  });

  it("answers a call, and has no session left after it", async () => {
    const body = { ...config(`${server.url}/deep/sse`), tool: "echo", arguments: { a: [1] } };
    const answer = await edge.post("/v1/tools/call", body);
    expect(answer.body).toMatchObject({
      content: [{ type: "text", text: '{"a":[1]}' }],
      metadata: facts,
    });
    const idle = await fetch(`${server.url}/idle`, { signal: AbortSignal.timeout(2_000) });
    expect(await idle.text()).toBe("0");
  });

  it("tells a tool's own failure as a result (case 41)", async () => {
    const body = { ...config(`${server.url}/deep/sse`), tool: "fail" };
    const answer = await edge.post("/v1/tools/call", body);
    expect(answer).toMatchObject({ status: 200, body: { success: false, status: "tool_error" } });
  });

  it("hands the config of its entry on", async () => {
    const fields = config(`${server.url}/deep/sse`, { config: { region: "eu" } });
    const { body } = await edge.post("/v1/tools/call", { ...fields, tool: "capabilities" });
    expect(JSON.stringify(body["content"])).toContain("region");
  });

  it("is not asked for a revision that SSE does not have", async () => {
    const fields = config("http://127.0.0.1:9/sse", { protocol: "2026-07-28" });
    const { body } = await edge.post("/v1/tools/call", { ...fields, tool: "echo" });
    expect(body).toMatchObject({ error: { code: "VERSION_UNSUPPORTED", executed: "no" } });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
