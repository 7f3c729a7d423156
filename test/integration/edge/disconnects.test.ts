import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FeatureGangway, startFeatures, within } from "../../support/features.ts";
import { promptMs } from "../../support/promptness.ts";

let gangway: FeatureGangway;

beforeAll(async () => {
  gangway = await startFeatures({ bare: true });
}, 90_000);

afterAll(() => gangway.close());

/** Posts a call, and leaves the connection to the test: `fetch` closes politely, others do not. */
function post(body: unknown, accept: string): Socket {
  const { hostname, port } = new URL(gangway.url);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(
    [
      "POST /v1/tools/call HTTP/1.1",
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${gangway.key}`,
      "content-type: application/json",
      `accept: ${accept}`,
      `content-length: ${text.length}`,
      "",
      text,
    ].join("\r\n"),
  );
  return socket;
}

async function counts(server: string): Promise<{ waiting: number; cancelled: number }> {
  if (server !== "stdio") {
    return gangway.observed(server === "legacy" ? gangway.legacy : gangway.modern);
  }
  const lines = await gangway.stdioLines();
  const count = (what: string) => lines.filter((line) => line === what).length;
  return { waiting: count("waiting"), cancelled: count("cancelled") };
}

const forms = [
  ["an answer", "application/json"],
  ["a stream", "text/event-stream"],
] as const;
const servers = ["legacy", "modern", "stdio"] as const;

describe.each(forms)("a client that breaks off while it waits for %s", (_form, accept) => {
  it.each(servers)("cancels the call at the server: %s (case 38)", async (server) => {
    const before = await counts(server);
    const socket = post({ server, tool: "wait" }, accept);
    await within(10_000, async () => (await counts(server)).waiting > before.waiting);
    socket.resetAndDestroy();
    const cancelled = async () => (await counts(server)).cancelled > before.cancelled;
    expect(await within(promptMs, cancelled)).toBeLessThan(promptMs);
  });
});
