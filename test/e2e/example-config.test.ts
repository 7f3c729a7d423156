import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingHttp, startEverythingHttp } from "../support/everything-http.ts";
import { type Gangway, startGangway } from "../support/gangway.ts";
import { root } from "../support/source-files.ts";

let remote: EverythingHttp;
let gangway: Gangway;
let example: string;

beforeAll(async () => {
  remote = await startEverythingHttp();
  gangway = await startGangway();
  example = await readFile(join(root, "examples/agent.yaml"), "utf8");
});

afterAll(() => Promise.all([gangway.close(), remote.close()]));

/** The example with its remote server at `url`, as a request sends it. */
function config(url: string, text = example) {
  return {
    config_text: text.replace("http://127.0.0.1:3001/mcp", url),
    config_path: "agent.yaml",
  };
}

const list = (body: object) => gangway.post("/v1/tools/list", body);
const call = (body: object) => gangway.post("/v1/tools/call", body);

/** Number of tools by server, and the error codes of servers that did not answer. */
function summary(body: Record<string, unknown>) {
  const servers = body["servers"] as { name: string; tools: number; error?: { code: string } }[];
  return servers.map(({ name, tools, error }) => [name, error?.code ?? tools]);
}

describe("examples/agent.yaml", () => {
  it("has no findings but the placeholder's plain http", async () => {
    const { body } = await gangway.post("/v1/validate", {
      files: [{ path: "agent.yaml", text: example }],
    });
    const [file] = body["files"] as { findings: { severity: string; pointer: string }[] }[];
    expect(body["valid"]).toBe(true);
    expect(file?.findings.map(({ pointer }) => pointer)).toEqual(["/tools/2/url"]);
  });

  it("lists the tools of all three servers, and each can be called", async () => {
    const { body } = await list(config(remote.url));
    expect(body["success"]).toBe(true);
    expect(summary(body)).toEqual([
      ["everything", 13],
      ["files", expect.toSatisfy((tools: unknown) => Number(tools) > 5)],
      ["remote", 13],
    ]);
    const calls = await call({
      ...config(remote.url),
      calls: [
        { server: "everything", tool: "echo", arguments: { message: "one" } },
        { server: "files", tool: "list_allowed_directories" },
        { server: "remote", tool: "echo", arguments: { message: "three" } },
      ],
    });
    const results = calls.body["results"] as { content: { text: string }[] }[];
    expect(results.map(({ content }) => content[0]?.text)).toEqual([
      "Echo: one",
      "Allowed directories:\n/tmp",
      "Echo: three",
    ]);
  });

  it.each([
    [
      "everything",
      '"@modelcontextprotocol/server-everything@2026.8.31"]',
      '"gangway-no-such-package@1.0.0"]',
    ],
    ["files", "/tmp]", "/no/such/folder]"],
    ["remote", "http://127.0.0.1:3001/mcp", "http://127.0.0.1:1/mcp"],
  ])("goes on with two when %s is dead (cases 20, 21)", async (dead, from, to) => {
    expect(example.split(from)).toHaveLength(2);
    const broken = config(remote.url, example.replace(from, to));
    const { status, body } = await list(broken);
    expect(status).toBe(200);
    expect(body["success"]).toBe(true);
    const alive = summary(body).filter(([, tools]) => Number(tools) > 0);
    expect(alive.map(([name]) => name)).toEqual(
      ["everything", "files", "remote"].filter((name) => name !== dead),
    );
    const others = {
      everything: { tool: "echo", arguments: { message: "still here" } },
      files: { tool: "list_allowed_directories" },
      remote: { tool: "echo", arguments: { message: "still here" } },
    };
    for (const [server, request] of Object.entries(others)) {
      const answer = await call({ ...broken, server, ...request });
      expect([server, answer.body["success"]]).toEqual([server, server !== dead]);
    }
  });
});
