import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

let legacy: StartedFixture;
let modern: StartedFixture;
let gangway: Gangway;

/** One address, behind which a server is exchanged for another. */
let behind: StartedFixture;
const sockets = new Set<Socket>();
const address = createServer((client) => {
  const upstream = connect(Number(new URL(behind.url).port), "127.0.0.1");
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  }
  client.pipe(upstream).pipe(client);
});

beforeAll(async () => {
  [legacy, modern] = await Promise.all([
    startFixture("http/legacy-server.ts"),
    startFixture("http/modern-server.ts"),
  ]);
  behind = legacy;
  address.listen(0, "127.0.0.1");
  await once(address, "listening");
  const bound = address.address();
  const port = typeof bound === "object" ? bound?.port : 0;
  const url = `http://127.0.0.1:${port}/mcp`;
  gangway = await startGangway({
    host: false,
    servers: [{ name: "changing", type: "mcp", description: "d", transport: "http", url }],
  });
}, 60_000);

afterAll(async () => {
  await gangway.close();
  for (const socket of sockets) socket.destroy();
  address.close();
  await Promise.all([legacy.close(), modern.close()]);
});

function put(fixture: StartedFixture): void {
  behind = fixture;
  for (const socket of sockets) socket.destroy();
}

it("serves every call while a server goes from one era to the other and back", async () => {
  const call = async () => {
    const body = { server: "changing", tool: "echo", arguments: { n: 1 } };
    const answer = await gangway.post("/v1/tools/call", body);
    expect(answer.body).toMatchObject({ success: true, content: [{ text: '{"n":1}' }] });
    const { era, upstream_requests } = answer.body["metadata"] as Record<string, unknown>;
    return { era, upstream_requests };
  };
  const first = await call();
  const known = await call();
  put(modern);
  const upgraded = await call();
  const knownModern = await call();
  put(legacy);
  const downgraded = await call();
  const knownAgain = await call();
  expect(
    [first, known, upgraded, knownModern, downgraded, knownAgain].map(({ era }) => era),
  ).toEqual(["legacy", "legacy", "modern", "modern", "legacy", "legacy"]);
  // A verdict that was out of date costs one request that fails, and a probe.
  expect(known.upstream_requests).toBe(3);
  expect(knownModern.upstream_requests).toBe(1);
  expect(upgraded.upstream_requests).toBeLessThanOrEqual(4);
  expect(downgraded.upstream_requests).toBeLessThanOrEqual(6);
  expect(knownAgain.upstream_requests).toBe(3);
});
