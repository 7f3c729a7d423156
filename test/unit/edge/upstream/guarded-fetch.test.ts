import { describe, expect, it } from "vitest";
import {
  type FetchGuard,
  guardedFetch,
} from "../../../../functions/edge/upstream/guarded-fetch.ts";

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly redirect: unknown;
}

/** A guarded fetch over answers by path; whatever has none is answered 200. */
function over(
  answers: Readonly<Record<string, { status: number; location?: string }>>,
  guard: Partial<FetchGuard> = {},
) {
  const seen: Seen[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const { method = "GET", body, redirect } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    seen.push({ url: url.href, method, body, headers, redirect });
    const { status = 200, location } = answers[url.pathname] ?? {};
    return new Response(null, { status, headers: location === undefined ? {} : { location } });
  };
  return { seen, send: guardedFetch({ fetch, development: false, ...guard }) };
}

const init = { method: "POST", body: "{}", headers: { "x-api-key": "k" } };

describe("the way out to a server", () => {
  it.each([301, 302, 307, 308])(
    "follows a redirect by %i within its origin, method and headers kept",
    async (status) => {
      const { seen, send } = over({ "/mcp": { status, location: "/mcp/?a=1#part" } });
      expect((await send("https://a.example.com/mcp", init)).status).toBe(200);
      expect(seen.map(({ url }) => url)).toEqual([
        "https://a.example.com/mcp",
        "https://a.example.com/mcp/?a=1",
      ]);
      const sent = {
        method: "POST",
        body: "{}",
        headers: { "x-api-key": "k" },
        redirect: "manual",
      };
      expect(seen[1]).toMatchObject(sent);
    },
  );

  it.each([
    ["another host", "https://b.example.com/mcp"],
    ["another port", "https://a.example.com:8443/mcp"],
    ["the same host in the clear", "http://a.example.com/mcp"],
    ["a name below its own", "https://a.example.com.evil.example/mcp"],
    ["the host as a user name", "https://a.example.com@evil.example/mcp"],
    ["another host without a scheme", "//evil.example/mcp"],
    ["another host by backslashes", "/\\evil.example/mcp"],
    ["no URL", "https://"],
    ["itself", "/mcp"],
  ])("answers a redirect to %s as it is (case 52)", async (_, location) => {
    const { seen, send } = over({ "/mcp": { status: 307, location } });
    expect((await send("https://a.example.com/mcp", init)).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  it.each([303, 300, 304])(
    "does not follow %i, which does not move the request",
    async (status) => {
      const { seen, send } = over({ "/mcp": { status, location: "/other" } });
      expect((await send("https://a.example.com/mcp", init)).status).toBe(status);
      expect(seen).toHaveLength(1);
    },
  );

  it("follows three redirects, and answers the fourth", async () => {
    const chain = Object.fromEntries(
      [0, 1, 2, 3, 4].map((at) => [`/${at}`, { status: 308, location: `/${at + 1}` }]),
    );
    const { seen, send } = over(chain);
    expect((await send("https://a.example.com/0", init)).status).toBe(308);
    expect(seen.map(({ url }) => new URL(url).pathname)).toEqual(["/0", "/1", "/2", "/3"]);
  });

  it("asks the wall anew of a redirect's URL", async () => {
    const wall = (url: URL): void => {
      if (url.pathname === "/secret") throw new RangeError("walled");
    };
    const { seen, send } = over({ "/mcp": { status: 307, location: "/secret" } }, { wall });
    await expect(send("https://a.example.com/mcp", init)).rejects.toThrow("walled");
    expect(seen).toHaveLength(1);
  });

  it("checks a redirect's URL anew", async () => {
    const location = "https://me:pw@a.example.com/x";
    const { seen, send } = over({ "/mcp": { status: 307, location } });
    await expect(send("https://a.example.com/mcp", init)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      details: { reason: "url-userinfo" },
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["gateway.example.com", "https://gateway.example.com/mcp"],
    ["gateway.example.com", "https://GATEWAY.example.com:8443/mcp"],
    [".example.com", "https://any.example.com/mcp"],
  ])("refuses Gangway's own host %s at %s", async (own, url) => {
    const { seen, send } = over({}, { ownHosts: [own] });
    await expect(send(url, init)).rejects.toMatchObject({ details: { reason: "url-own-host" } });
    expect(seen).toEqual([]);
  });

  it("tells how many gateways a request has come through, whatever the headers say", async () => {
    const { seen, send } = over({}, { hops: 1 });
    await send("https://a.example.com/mcp", { headers: { "Gangway-Hops": "0" } });
    expect(seen[0]?.headers).toEqual({ "gangway-hops": "2" });
  });
});
