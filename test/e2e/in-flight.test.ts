import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../support/gangway.ts";
import { misplaced, type Received, type Sent } from "../support/in-flight.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../support/npm-registry.ts";
import { type StartedFixture, startFixture } from "../support/start-fixture.ts";

const each = 100;

let registry: NpmRegistry;
let legacy: StartedFixture;
let modern: StartedFixture;
let gangway: Gangway;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  legacy = await startFixture("http/legacy-server.ts");
  modern = await startFixture("http/modern-server.ts");
  gangway = await startGangway({
    registry: registry.url,
    servers: [
      {
        name: "stdio",
        type: "mcp",
        command: "npx",
        args: ["-y", "-p", "@fixture/stdio@1.0.0", "echo"],
      },
      { name: "legacy", type: "mcp", transport: "http", url: `${legacy.url}/mcp` },
      { name: "modern", type: "mcp", transport: "http", url: `${modern.url}/mcp` },
    ],
  });
});

afterAll(async () => {
  await gangway.close();
  await Promise.all([registry.close(), legacy.close(), modern.close()]);
});

/** Distinct payloads of very different sizes. */
function payloads(server: string): Sent[] {
  return Array.from({ length: each }, (_, index) => ({
    id: `${server} ${index}`,
    text: `${server}-${index}-${"x".repeat((index * 977) % 20_000)}-${crypto.randomUUID()}`,
  }));
}

async function send(server: string, { text }: Sent): Promise<Received> {
  // The stdio fixture holds every call until all are there, and answers in reverse order.
  const request =
    server === "stdio"
      ? { tool: "gather", arguments: { text, count: each } }
      : { tool: "echo", arguments: { text } };
  const { body } = await gangway.post("/v1/tools/call", { server, ...request });
  if (body["success"] !== true) return null;
  const [block] = body["content"] as { text: string }[];
  return (JSON.parse(block?.text ?? "{}") as { text?: string }).text ?? null;
}

describe("200 calls in flight", () => {
  it.each([["legacy"], ["modern"]])(
    "over stdio and %s HTTP each get their own answer (cases 1, 2)",
    async (http) => {
      const calls = ["stdio", http].flatMap((server) =>
        payloads(server).map((sent) => ({ server, sent })),
      );
      const received = await Promise.all(calls.map(({ server, sent }) => send(server, sent)));
      expect(
        misplaced(
          calls.map(({ sent }) => sent),
          received,
        ),
      ).toEqual([]);
    },
  );
});

describe("the checker", () => {
  const sent = payloads("a");
  const right = sent.map(({ text }) => text);

  it("finds nothing where every answer is in its place", () => {
    expect(misplaced(sent, right)).toEqual([]);
  });

  it("finds a planted swap", () => {
    expect(misplaced(sent, right.with(3, right[7] ?? "").with(7, right[3] ?? ""))).toEqual([
      "a 3",
      "a 7",
    ]);
  });

  it("finds a lost answer and an altered one", () => {
    expect(misplaced(sent, right.with(1, "other").slice(0, -1))).toEqual(["a 1", `a ${each - 1}`]);
  });
});
