import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpSession } from "./http-session.ts";
import { type RawFixture, startRawFixture } from "./raw-fixture.ts";

let raw: RawFixture;
beforeAll(async () => {
  raw = await startRawFixture();
});
afterAll(async () => raw.close());

const limits = { timeoutMs: 5_000 };
const flagged = { "dev.gangway/unrecognized": true };

describe.each(["legacy", "modern"] as const)("a server of the %s era", (era) => {
  it("keeps the rest of a result around one unknown block (case 40)", async () => {
    await using open = httpSession(raw.at(era, "unknown-block"));
    const { result, warnings } = await open.session.callTool("known", {}, limits);
    expect(open.session.info?.era).toBe(era);
    expect(result).toMatchObject({
      content: [
        { type: "text", text: "before" },
        { type: "text", text: '{"type":"hologram","depth":3}', _meta: flagged },
        { type: "text", text: "after" },
      ],
      structuredContent: { kept: [1, null, { deep: true }] },
      _meta: { "example.com/kept": 1 },
    });
    expect(warnings.map(({ code }) => code)).toEqual(["BLOCK_UNRECOGNIZED"]);
  });

  it("keeps the rest of a result around one bad base64 (case 40)", async () => {
    await using open = httpSession(raw.at(era, "bad-base64"));
    const { result, warnings } = await open.session.callTool("known", {}, limits);
    const content = result["content"] as Record<string, unknown>[];
    expect(content).toHaveLength(4);
    expect(content[1]).toMatchObject({ type: "text", _meta: flagged });
    expect(content[1]?.["text"]).toContain("%%% no base64 %%%");
    expect(content[2]).toEqual({
      type: "image",
      data: "iVBORw0KGgo=",
      mimeType: "image/png",
      annotations: { priority: 1 },
    });
    expect(warnings).toHaveLength(1);
  });

  it("keeps the other tools of a list with one malformed tool", async () => {
    await using open = httpSession(raw.at(era, "malformed-tool"));
    const { items, warnings } = await open.session.listTools(limits);
    expect(items.map(({ name }) => name)).toEqual(["first", "last"]);
    expect(warnings.map(({ code }) => code)).toEqual(["ITEM_UNREADABLE"]);
  });

  it("keeps a result that breaks its own output schema, without running its pattern (case 43)", async () => {
    await using open = httpSession(raw.at(era, "schema-breach"));
    await open.session.listTools(limits);
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result).toMatchObject({
      content: [{ type: "text", text: "kept" }],
      structuredContent: { n: "no number" },
    });
  });

  it("hands a tool's own failure on as a result (case 41)", async () => {
    await using open = httpSession(raw.at(era, "is-error"));
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result).toMatchObject({ isError: true, content: [{ text: "disk full" }] });
  });

  it("reads members that are null as absent", async () => {
    await using open = httpSession(raw.at(era, "nulls"));
    const { items } = await open.session.listTools(limits);
    const { result, warnings } = await open.session.callTool("known", {}, limits);
    expect(items).toEqual([{ name: "known", inputSchema: { type: "object" } }]);
    expect(result).toMatchObject({ content: [{ type: "text", text: "kept" }] });
    expect(result).not.toHaveProperty("isError");
    expect(warnings).toEqual([]);
  });

  it("takes an answer whose id was turned into text", async () => {
    await using open = httpSession(raw.at(era, "text-id"));
    const { result } = await open.session.callTool("known", {}, limits);
    expect(result).toMatchObject({ content: [{ text: "kept" }] });
  });
});
