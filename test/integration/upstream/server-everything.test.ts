import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpSession } from "./http-session.ts";

const program = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const limits = { timeoutMs: 10_000 };
const tools = [
  "echo",
  "get-annotated-message",
  "get-env",
  "get-resource-links",
  "get-resource-reference",
  "get-structured-content",
  "get-sum",
  "get-tiny-image",
  "gzip-file-as-resource",
  "simulate-research-query",
  "toggle-simulated-logging",
  "toggle-subscriber-updates",
  "trigger-long-running-operation",
];

let url: string;
let end: () => Promise<void>;

beforeAll(async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [program, "streamableHttp"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  url = `http://127.0.0.1:${port}/mcp`;
  end = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  for await (const line of child.stderr) if (String(line).includes("listening")) break;
});
afterAll(async () => end());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the reference server over streamable HTTP", () => {
  it("lists all of its tools", async () => {
    await using open = httpSession(url);
    const { items, warnings } = await open.session.listTools(limits);
    expect(items.map(({ name }) => name).toSorted()).toEqual(tools);
    expect(warnings).toEqual([]);
  });

  it("has images, structure, annotations, resources and links come back whole (cases 40, 42)", async () => {
    await using open = httpSession(url);
    const { session } = open;
    const image = await session.callTool("get-tiny-image", {}, limits);
    expect(image.result["content"]).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "text" },
    ]);
    const structured = await session.callTool(
      "get-structured-content",
      { location: "Chicago" },
      limits,
    );
    expect(structured.result["structuredContent"]).toMatchObject({ temperature: 36 });
    const annotated = await session.callTool(
      "get-annotated-message",
      { messageType: "error" },
      limits,
    );
    expect(annotated.result["content"]).toMatchObject([
      { annotations: { priority: 1, audience: ["user", "assistant"] } },
    ]);
    const reference = await session.callTool("get-resource-reference", { resourceId: 1 }, limits);
    expect(reference.result["content"]).toMatchObject([
      {},
      { type: "resource", resource: { uri: expect.any(String), mimeType: expect.any(String) } },
      {},
    ]);
    const links = await session.callTool("get-resource-links", { count: 2 }, limits);
    expect(links.result["content"]).toMatchObject([
      {},
      { type: "resource_link" },
      { type: "resource_link" },
    ]);
    for (const { warnings } of [image, structured, annotated, reference, links]) {
      expect(warnings).toEqual([]);
    }
  });
});
