import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { JsonObject } from "../../../../shared/mcp/json.ts";
import { isNoSuchList, listPages } from "../../../../shared/mcp/list-pages.ts";
import { readTool } from "../../../../shared/mcp/read-definition.ts";

async function walk(pages: Record<string, JsonObject>, maxPages = 100) {
  const asked: unknown[] = [];
  const listing = await listPages({
    member: "tools",
    read: readTool,
    maxPages,
    fetchPage: async (params) => {
      asked.push(params);
      return pages[typeof params["cursor"] === "string" ? params["cursor"] : ""] ?? {};
    },
  });
  const codes = listing.warnings.map(({ code }) => code);
  return { names: listing.items.map(({ name }) => name), codes, asked };
}

const tool = (name: string) => ({ name, inputSchema: {} });

describe("listPages", () => {
  it("follows the cursors to the end", async () => {
    const pages = {
      "": { tools: [tool("a")], nextCursor: "x" },
      x: { tools: [tool("b"), tool("b")], nextCursor: "y" },
      y: { tools: [] },
    };
    expect(await walk(pages)).toEqual({
      names: ["a", "b", "b"],
      codes: [],
      asked: [{}, { cursor: "x" }, { cursor: "y" }],
    });
  });

  it.each([null, "", 7, undefined])("takes the cursor %j as the end", async (nextCursor) => {
    expect((await walk({ "": { tools: [tool("a")], nextCursor } })).asked).toHaveLength(1);
  });

  it("stops where a cursor comes back, however long the circle", async () => {
    const pages = {
      "": { tools: [tool("a")], nextCursor: "x" },
      x: { tools: [tool("b")], nextCursor: "y" },
      y: { tools: [tool("c")], nextCursor: "x" },
    };
    expect(await walk(pages)).toMatchObject({
      names: ["a", "b", "c"],
      codes: ["LIST_CURSOR_LOOP"],
    });
  });

  it("stops at the page limit, and keeps what it has", async () => {
    const pages = {
      "": { tools: [tool("a")], nextCursor: "x" },
      x: { tools: [tool("b")], nextCursor: "y" },
    };
    expect(await walk(pages, 2)).toMatchObject({ names: ["a", "b"], codes: ["LIST_TOO_LONG"] });
  });

  it.each([
    ["entries", { name: "a", inputSchema: {} }],
    ["entries that cannot be read", 0],
  ])("reads ten thousand %s at most", async (_, entry) => {
    const pages = { "": { tools: Array.from({ length: 20_000 }, () => entry), nextCursor: "x" } };
    const { names, codes, asked } = await walk(pages);
    expect(names.length).toBe(entry === 0 ? 0 : 10_000);
    expect([codes.at(-1), asked.length]).toEqual(["LIST_TOO_LONG", 1]);
    expect(codes.length).toBeLessThan(110);
  });

  it("counts the entries of all pages, those too that cannot be read", async () => {
    const page = (nextCursor: string) => ({
      tools: Array.from({ length: 6_000 }, () => 0),
      nextCursor,
    });
    const { codes, asked } = await walk({ "": page("x"), x: page("y"), y: page("z") });
    expect([codes.at(-1), asked.length]).toEqual(["LIST_TOO_LONG", 2]);
  });

  it("asks for no further page once the entries are many megabytes", async () => {
    const page = (nextCursor: string) => ({ tools: [tool("a".repeat(9_000_000))], nextCursor });
    const { codes, asked } = await walk({ "": page("x"), x: page("y"), y: page("z") });
    expect([codes, asked.length]).toEqual([["LIST_TOO_LONG"], 2]);
  });

  it("goes on past a page that holds no list", async () => {
    const pages = { "": { tools: "none", nextCursor: "x" }, x: { tools: [tool("b")] } };
    expect(await walk(pages)).toMatchObject({ names: ["b"], codes: ["FIELD_REPAIRED"] });
  });
});

describe("how long a list may be kept", () => {
  async function hint(...pages: JsonObject[]) {
    const { cache } = await listPages({
      member: "resources",
      read: (item) => item,
      maxPages: 3,
      fetchPage: async ({ cursor = "0" }) => {
        const next = Number(cursor) + 1;
        const more = next < pages.length ? { nextCursor: String(next) } : {};
        return { resources: [], ...pages[Number(cursor)], ...more };
      },
    });
    return cache;
  }
  const long = { ttlMs: 9, cacheScope: "public" };

  it("is what every page allows", async () => {
    expect(await hint(long)).toEqual({ ttlMs: 9, scope: "public" });
    expect(await hint(long, { ttlMs: 4, cacheScope: "private" })).toEqual({
      ttlMs: 4,
      scope: "private",
    });
  });

  it("is unknown where one page does not say, or pages are left out", async () => {
    expect(await hint(long, {})).toBeUndefined();
    expect(await hint(long, long, long, long)).toBeUndefined();
  });
});

describe("isNoSuchList", () => {
  it("goes by the server's code alone", () => {
    const error = (code: number) =>
      new GatewayError("SERVER_ERROR", "m", { details: { rpc_code: code } });
    expect(isNoSuchList(error(-32601))).toBe(true);
    expect(isNoSuchList(error(-32603))).toBe(false);
    expect(isNoSuchList(new TypeError("method not found"))).toBe(false);
  });
});
