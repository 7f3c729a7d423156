import { parseArgs } from "node:util";
import { makeApiKey, sha256Hex } from "../../shared/api/api-key.ts";
import { startEmulator } from "../integration/secrets/emulator.ts";
import { motoRegion } from "../support/moto.ts";
import { startFixture } from "../support/start-fixture.ts";
import { startWorkerdEdge } from "./workerd-edge.ts";

/**
 * What secrets cost a call: the same call of one server, with five secrets in its headers that the
 * edge has in its cache, and with five literals. In pairs, each pair in another order. It is a
 * measurement, not a test.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    blocks: { type: "string", default: "6" },
  },
});
const rounds = Number(values.rounds);
const blocks = Number(values.blocks);
/** Most that five cached secrets may add, milliseconds of the edge. */
const targetMs = 0.3;
const warmUps = 50;

const names = ["FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH"];
const secrets = Object.fromEntries(
  names.map((name) => [name, `value-of-${name}-${"x".repeat(24)}`]),
);
const header = (name: string) => `x-${name.toLowerCase()}`;

const [emulator, server] = await Promise.all([
  startEmulator(),
  startFixture("http/modern-server.ts"),
]);
await emulator.create("gangway/acme/bundle", JSON.stringify(secrets));
const key = await makeApiKey("bench", "k7f3");
const keys = [{ id: "k7f3", sha256: await sha256Hex(key), scopes: ["call"] }];
const remote = { type: "mcp", description: "d", transport: "http", url: `${server.url}/mcp` };
const references = Object.fromEntries(names.map((name) => [header(name), `\${${name}}`]));
const literals = Object.fromEntries(names.map((name) => [header(name), secrets[name]]));
const edge = await startWorkerdEdge(
  {
    mode: "development",
    version: "1.0",
    tenants: [
      {
        id: "acme",
        keys,
        mcp_servers: [
          { ...remote, name: "secrets", headers: references },
          { ...remote, name: "literals", headers: literals },
        ],
      },
    ],
  },
  {
    AWS_REGION: motoRegion,
    AWS_ACCESS_KEY_ID: emulator.moto.admin.accessKeyId,
    AWS_SECRET_ACCESS_KEY: emulator.moto.admin.secretAccessKey,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: emulator.front.url,
  },
);

type Name = "secrets" | "literals";

/** One call, and how long it took, milliseconds. */
async function call(name: Name): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${edge.url}/v1/tools/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ server: name, tool: "echo", arguments: { message: "hello" } }),
  });
  const answer = await response.text();
  const tookMs = performance.now() - startedAt;
  if (!answer.includes('"success":true')) throw new TypeError(`the edge answered ${answer}`);
  return tookMs;
}

/** Which goes first in a pair alternates. */
const orders = [
  ["secrets", "literals"],
  ["literals", "secrets"],
] as const;

async function pairs(): Promise<Record<Name, number>[]> {
  const all: Record<Name, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const pair = { secrets: 0, literals: 0 };
    for (const name of orders[round % 2] ?? orders[0]) pair[name] = await call(name);
    all.push(pair);
  }
  return all;
}

/** Processor time of the edge for each call, milliseconds, in blocks that alternate. */
async function cpuPerCall(): Promise<Record<Name, number>> {
  const used = { secrets: 0, literals: 0 };
  for (let block = 0; block < blocks; block += 1) {
    for (const name of orders[block % 2] ?? orders[0]) {
      const before = await edge.cpuMs();
      for (let round = 0; round < rounds; round += 1) await call(name);
      used[name] += (await edge.cpuMs()) - before;
    }
  }
  const calls = blocks * rounds;
  return { secrets: used.secrets / calls, literals: used.literals / calls };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function told(
  what: string,
  { secrets: own, literals: other }: Record<Name, number>,
  added: number,
) {
  const verdict = added <= targetMs ? "within" : "BEYOND";
  return `${what}: ${own.toFixed(3)} ms with secrets, ${other.toFixed(3)} ms with literals: ${(own / other).toFixed(3)}×, ${added.toFixed(3)} ms more (${verdict} the target of ${targetMs} ms)`;
}

try {
  emulator.front.forget();
  await call("secrets");
  console.log(
    `cold: ${emulator.front.operations.length} request to AWS (${emulator.front.operations.join(", ")})`,
  );
  for (let i = 0; i < warmUps; i += 1)
    for (const name of orders[i % 2] ?? orders[0]) await call(name);
  emulator.front.forget();
  const all = await pairs();
  const medians = {
    secrets: median(all.map((pair) => pair.secrets)),
    literals: median(all.map((pair) => pair.literals)),
  };
  const added = median(all.map((pair) => pair.secrets - pair.literals));
  console.log(told(`${rounds} pairs, the caller's time`, medians, added));
  const cpu = await cpuPerCall();
  console.log(
    told(
      `${blocks} × ${rounds} calls each, the edge's processor time`,
      cpu,
      cpu.secrets - cpu.literals,
    ),
  );
  console.log(`warm: ${emulator.front.operations.length} requests to AWS`);
} finally {
  await Promise.all([edge.close(), server.close(), emulator.close()]);
}
