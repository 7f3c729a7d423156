import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type RawFixture, startRawFixture } from "../upstream/raw-fixture.ts";

let raw: RawFixture;
let gangway: Gangway;

beforeAll(async () => {
  [raw, gangway] = await Promise.all([startRawFixture(), startGangway({ host: false })]);
}, 60_000);

afterAll(() => Promise.all([raw.close(), gangway.close()]));

const call = (url: string) =>
  gangway.post("/v1/tools/call", {
    config: { name: "raw", type: "mcp", transport: "http", url },
    tool: "known",
  });

describe("a server that forgets the session that this request opened (case 5)", () => {
  it("is given a new session, and the call once more", async () => {
    const url = raw.at("legacy", "forgets-first-session");
    const { body } = await call(url);
    expect(body).toMatchObject({ success: true, content: [{ text: "remembered" }] });
    const methods = (await raw.seen(url)).map(({ method }) => method);
    expect(methods.filter((method) => method === "initialize")).toHaveLength(2);
    expect(methods.filter((method) => method === "tools/call")).toHaveLength(2);
  });

  it("is told as an error when it does so again, and is not asked a third time", async () => {
    const url = raw.at("legacy", "forgets-every-session");
    const { body, status } = await call(url);
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: { code: "UPSTREAM_HTTP_ERROR", executed: "no" } });
    const methods = (await raw.seen(url)).map(({ method }) => method);
    expect(methods.filter((method) => method === "tools/call")).toHaveLength(2);
  });
});
