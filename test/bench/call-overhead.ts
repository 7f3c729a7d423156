import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { everythingProgram } from "../support/everything-http.ts";
import { startFixture } from "../support/start-fixture.ts";
import {
  type Call,
  defaultClient,
  leanClient,
  sseClient,
  warmStdioClient,
  websocketClient,
} from "./direct-clients.ts";
import { type Deployed, startDeployed } from "./deployed.ts";
import { type Contestant, measure, type Measurement } from "./measure.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    callers: { type: "string", default: "1" },
    write: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const callers = Number(values.callers);

const introduction = `# What a call through Gangway costs

The same tool call through Gangway and by a direct client of the MCP SDK, in one run. Run it with
\`npm run bench\`; it is a measurement, not a test. The edge is
the bundle that is deployed, in workerd alone; the host is the real one; all run on one machine.`;

const message = { message: "hello" };
/** The echo of the fixture servers, and that of the reference server. */
const fixtureEcho: Call = { tool: "echo", arguments: message, expected: JSON.stringify(message) };
const everythingEcho: Call = { tool: "echo", arguments: message, expected: "Echo: hello" };

interface Section {
  readonly title: string;
  readonly measurements: readonly Measurement[];
}

const [legacy, modern, sse, websocket] = await Promise.all([
  startFixture("http/legacy-server.ts"),
  startFixture("http/modern-server.ts"),
  startFixture("sse/sdk-server.ts"),
  startFixture("websocket/sdk-server.ts"),
]);
const urls = {
  legacy: `${legacy.url}/mcp`,
  modern: `${modern.url}/mcp`,
  sse: `${sse.url}/deep/sse`,
  websocket: websocket.url.replace(/^http/, "ws"),
};
const remote = { type: "mcp", description: "A server of the benchmark.", transport: "http" };
const servers = [
  { ...remote, name: "legacy", url: urls.legacy },
  { ...remote, name: "modern", url: urls.modern },
  { ...remote, name: "sse", transport: "sse", url: urls.sse },
  { ...remote, name: "websocket", transport: "websocket", url: urls.websocket },
  {
    name: "stdio",
    type: "mcp",
    description: "The reference server.",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-everything@2026.8.31"],
  },
];
const gangway = await startDeployed(servers);
try {
  report([
    await remoteSection("Streamable HTTP, legacy era, a new session a call", "legacy"),
    await remoteSection("Streamable HTTP, modern era", "modern"),
    await oneToOne("SSE", sseClient(urls.sse, fixtureEcho), "sse"),
    await oneToOne("WebSocket", websocketClient(urls.websocket, fixtureEcho), "websocket"),
    await stdioSection(),
  ]);
} finally {
  await gangway.close();
  await Promise.all([legacy, modern, sse, websocket].map((fixture) => fixture.close()));
}

async function remoteSection(title: string, server: "legacy" | "modern"): Promise<Section> {
  const url = urls[server];
  const contestants = [
    defaultClient(url, fixtureEcho),
    await leanClient(url, fixtureEcho),
    throughGangway(gangway, server, fixtureEcho),
  ];
  return { title, measurements: await measure(contestants, { rounds, callers }) };
}

async function oneToOne(title: string, direct: Contestant, server: string): Promise<Section> {
  const contestants = [direct, throughGangway(gangway, server, fixtureEcho)];
  return { title, measurements: await measure(contestants, { rounds, callers }) };
}

async function stdioSection(): Promise<Section> {
  const direct = await warmStdioClient(everythingProgram, everythingEcho);
  const contestants = [direct, throughGangway(gangway, "stdio", everythingEcho)];
  const measurements = await measure(contestants, { rounds, callers });
  await direct.close();
  return { title: "Stdio, a warm process", measurements };
}

function throughGangway({ url, key }: Deployed, server: string, call: Call): Contestant {
  const body = JSON.stringify({ server, tool: call.tool, arguments: call.arguments });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return {
    name: "through Gangway",
    run: async () => {
      const response = await fetch(`${url}/v1/tools/call`, { method: "POST", headers, body });
      const answer = await response.text();
      if (!answer.includes(`"text":${JSON.stringify(call.expected)}`)) {
        throw new TypeError(`Gangway answered ${answer}`);
      }
    },
  };
}

function report(sections: readonly Section[]): void {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    `Measured on ${date}: ${machine}. ${rounds} interleaved rounds, ${callers} at a time; times in milliseconds.`,
    ...sections.map(sectionTable),
  ].join("\n\n");
  console.log(text);
  if (values.write !== undefined) writeFileSync(values.write, `${introduction}\n\n${text}\n`);
}

function comparison(own: number, other: number): string {
  const difference = own - other;
  return `${(own / other).toFixed(2)}× (${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(2)} ms)`;
}

function sectionTable({ title, measurements }: Section): string {
  const own = measurements.at(-1);
  const rows = measurements.map(({ name, p50, p95 }) => {
    const told = own === undefined || name === own.name ? "" : comparison(own.p50, p50);
    return `| ${name} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${told} |`;
  });
  const head = "| contestant | p50 | p95 | Gangway's p50 against it |\n| --- | --- | --- | --- |";
  return `## ${title}\n\n${head}\n${rows.join("\n")}`;
}
