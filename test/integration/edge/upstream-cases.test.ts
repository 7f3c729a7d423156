import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/everything-http.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type RawFixture, startRawFixture } from "../upstream/raw-fixture.ts";

let raw: RawFixture;
let gangway: Gangway;
/** Takes connections into its backlog and never looks at them. */
let deaf: Server;
let deafUrl: string;

beforeAll(async () => {
  deaf = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(deaf, "listening");
  const address = deaf.address();
  deafUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`;
  [raw, gangway] = await Promise.all([startRawFixture(), startGangway({ host: false })]);
}, 60_000);

afterAll(async () => {
  await Promise.all([raw.close(), gangway.close()]);
  deaf.close();
});

const server = (name: string, url: string, more: Record<string, unknown> = {}) => ({
  name,
  type: "mcp",
  description: "A server of the test.",
  transport: "http",
  url,
  ...more,
});

const call = (url: string, more: Record<string, unknown> = {}, options: unknown = {}) =>
  gangway.post("/v1/tools/call", { config: server("raw", url, more), tool: "known", options });

describe.each(["legacy", "modern"] as const)("an answer of the %s era that does not end", (era) => {
  it.each(["endless-body", "endless-comments", "gzip-bomb"])(
    "is given up at a bound: %s",
    async (mode) => {
      const url = raw.at(era, mode);
      const { body, status } = await call(url);
      expect(status).toBe(502);
      expect(body).toMatchObject({ error: { code: "RESPONSE_TOO_LARGE", executed: "maybe" } });
      await raw
        .seeUntil(url, (seen) => seen.some(({ closedEarly }) => closedEarly))
        .catch(() => {
          // A bomb is small on the wire: it was sent whole.
          expect(mode).toBe("gzip-bomb");
        });
    },
  );

  it("is given up at the time limit when it comes a byte a second", async () => {
    const { body, status } = await call(raw.at(era, "trickle"), {}, { timeout_s: 2 });
    expect(status).toBe(504);
    expect(body).toMatchObject({ error: { code: "REQUEST_TIMEOUT", executed: "maybe" } });
  });
});

describe("reaching a server", () => {
  it.each(["http", "sse", "websocket"])(
    "gives up on one that never says a word: %s",
    async (transport) => {
      const url = transport === "websocket" ? deafUrl.replace("http", "ws") : deafUrl;
      const { body, status } = await call(url, { transport, timeout: 1 });
      expect(status).toBe(504);
      expect(body).toMatchObject({ error: { code: "CONNECT_TIMEOUT", executed: "no" } });
    },
  );

  it("tries afresh after the server was down (case 6)", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/legacy/sound`;
    expect((await call(url)).body).toMatchObject({ error: { code: "CONNECTION_FAILED" } });
    const up = createServer((client) => {
      const upstream = connect(Number(new URL(raw.url).port), "127.0.0.1");
      client.on("error", () => upstream.destroy()).pipe(upstream);
      upstream.on("error", () => client.destroy()).pipe(client);
    }).listen(port, "127.0.0.1");
    await once(up, "listening");
    expect((await call(url)).body).toMatchObject({ success: true });
    up.close();
  });

  it("connects to the addressed server alone, and opens no standing stream (cases 9, 10)", async () => {
    const [one, other] = [raw.at("legacy", "sound"), raw.at("legacy", "sound")];
    const config = { tools: [server("one", one), server("other", other)] };
    const { body } = await gangway.post("/v1/tools/call", { config, server: "one", tool: "known" });
    expect(body).toMatchObject({ success: true });
    expect(await raw.seen(other)).toEqual([]);
    const verbs = (await raw.seen(one)).map(({ verb }) => verb);
    expect(verbs).not.toContain("GET");
    expect(verbs).toContain("POST");
  });

  it("never passes the caller's own credentials on (case 50)", async () => {
    const url = raw.at("legacy", "sound");
    await call(url);
    const seen = await raw.seen(url);
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain(gangway.key);
    expect(seen.filter(({ headers }) => headers["authorization"] !== undefined)).toEqual([]);
  });
});
