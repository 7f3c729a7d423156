import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEraCache } from "../../../functions/edge/upstream/era-cache.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";
import { failureOf } from "./failure-of.ts";
import { httpSession } from "./http-session.ts";

const limits = { timeoutMs: 5_000 };
const eras = [
  ["legacy", "http/legacy-server.ts", "2025-11-25", 3],
  ["modern", "http/modern-server.ts", "2026-07-28", 1],
] as const;

describe.each(eras)(
  "a server of the %s era on the official SDK",
  (era, program, version, requests) => {
    let server: StartedFixture;
    beforeAll(async () => {
      server = await startFixture(program);
    });
    afterAll(async () => server.close());

    it("tells who it is", async () => {
      await using open = httpSession(server.url);
      expect(await open.session.connect()).toMatchObject({
        era,
        protocolVersion: version,
        serverInfo: { name: `${era}-fixture`, version: "1.0.0" },
        instructions: "Be brief.",
        capabilities: { tools: { listChanged: true } },
      });
    });

    it("lists, calls and expands prompts", async () => {
      await using open = httpSession(server.url);
      const { items } = await open.session.listTools(limits);
      expect(items.map(({ name }) => name)).toEqual([
        "echo",
        "progress",
        "wait",
        "capabilities",
        "fail",
      ]);
      expect(await open.session.callTool("echo", { a: [1] }, limits)).toMatchObject({
        result: { content: [{ type: "text", text: '{"a":[1]}' }] },
        warnings: [],
      });
      expect((await open.session.callTool("fail", {}, limits)).result).toMatchObject({
        isError: true,
      });
      expect((await open.session.listPrompts(limits)).items).toMatchObject([{ name: "greet" }]);
      expect(await open.session.getPrompt("greet", {}, limits)).toMatchObject({
        result: { messages: [{ role: "user", content: { type: "text", text: "prompt greet" } }] },
      });
      expect(open.exceptions).toEqual([]);
    });

    it("reads the config that its entry holds", async () => {
      const config = { region: "eu", depth: 2 };
      await using open = httpSession(server.url, { config });
      const { result } = await open.session.callTool("capabilities", {}, limits);
      const [block] = result["content"] as { text: string }[];
      expect(JSON.parse(block?.text ?? "")).toMatchObject({
        experimental: { "dev.gangway/config": config },
      });
    });

    it("is asked by as few requests as the era allows, once its verdict is known (case 7)", async () => {
      const cache = createEraCache(() => 0);
      await using first = httpSession(server.url);
      cache.note(server.url, await first.session.connect());
      const prior = cache.get(server.url);
      await using open = httpSession(server.url, prior === undefined ? {} : { prior });
      await open.session.callTool("echo", {}, limits);
      expect(open.session.info).toMatchObject({ era, prior: null });
      expect(open.transports.map(({ upstreamRequests }) => upstreamRequests)).toEqual([requests]);
    });

    it("tells a tool that it does not have", async () => {
      await using open = httpSession(server.url);
      expect((await failureOf(open.session.callTool("nope", {}, limits))).code).toBe(
        "TOOL_NOT_FOUND",
      );
    });
  },
);

describe("a verdict that is out of date", () => {
  it("for legacy is corrected on the spot", async () => {
    const server = await startFixture("http/modern-server.ts");
    await using open = httpSession(server.url, { prior: { kind: "legacy" } });
    expect(await open.session.callTool("echo", {}, limits)).toMatchObject({
      result: { content: [{ type: "text", text: "{}" }] },
    });
    expect(open.session.info).toMatchObject({ era: "modern", prior: { kind: "modern" } });
    await server.close();
  });

  it("for the newer revision fails loudly, and the call is sent once", async () => {
    const server = await startFixture("http/legacy-server.ts");
    const discover = { supportedVersions: ["2026-07-28"], capabilities: {} };
    await using open = httpSession(server.url, { prior: { kind: "modern", discover } });
    await failureOf(open.session.callTool("echo", {}, limits));
    expect(open.transports.map(({ upstreamRequests }) => upstreamRequests)).toEqual([1]);
    await server.close();
  });
});

describe("a stateful server", () => {
  it("keeps no session after the end of ours, unless the config wants it kept (case 19)", async () => {
    const server = await startFixture("http/legacy-server.ts");
    const sessions = async () => (await fetch(`${server.url}/sessions`)).text();
    const open = httpSession(server.url);
    await open.session.callTool("echo", {}, limits);
    expect(await sessions()).toBe("1");
    await open.session.disconnect();
    expect(await sessions()).toBe("0");
    const kept = httpSession(server.url, {}, { terminateOnClose: false });
    await kept.session.callTool("echo", {}, limits);
    await kept.session.disconnect();
    expect(await sessions()).toBe("1");
    await server.close();
  });

  it("that has forgotten the session is told, and the call is not sent again (case 5)", async () => {
    const server = await startFixture("http/legacy-server.ts");
    await using open = httpSession(server.url);
    await using thief = httpSession(server.url);
    await open.session.connect();
    const id = open.transports[0]?.sessionId ?? "";
    await fetch(server.url, { method: "DELETE", headers: { "mcp-session-id": id } });
    const failure = await failureOf(open.session.callTool("echo", {}, limits));
    expect(failure).toMatchObject({ details: { status: 404 }, executed: "no", retryable: false });
    expect(await thief.session.callTool("echo", {}, limits)).toMatchObject({
      result: { content: [{ type: "text", text: "{}" }] },
    });
    await server.close();
  });
});
