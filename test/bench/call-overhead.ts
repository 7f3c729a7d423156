import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
import { type Contestant, measure, type Measured } from "./measure.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    /** One run after the other, by how many call at once. */
    callers: { type: "string", default: "1,32" },
    write: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const callersOfRuns = values.callers.split(",").map(Number);

const introduction = `# What a call through Gangway costs

The same tool call through Gangway and by a direct client of the MCP SDK, in one run. Run it with
\`npm run bench\`; it is a measurement, not a test. The edge is
the bundle that is deployed, in workerd alone; the host is the real one; all run on one machine.
Processor time is that of the edge's and the host's processes, system calls included, without the
servers and the callers.`;

const message = { message: "hello" };
/** The echo of the fixture servers, and that of the reference server. */
const fixtureEcho: Call = { tool: "echo", arguments: message, expected: JSON.stringify(message) };
const everythingEcho: Call = { tool: "echo", arguments: message, expected: "Echo: hello" };

interface Section extends Measured {
  readonly title: string;
}

interface Run {
  readonly callers: number;
  readonly sections: readonly Section[];
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
const [edge = 0, host = 0] = gangway.pids;
try {
  const runs: Run[] = [];
  for (const callers of callersOfRuns) runs.push({ callers, sections: await runWith(callers) });
  report(runs);
} finally {
  await gangway.close();
  await Promise.all([legacy, modern, sse, websocket].map((fixture) => fixture.close()));
}

async function runWith(callers: number): Promise<readonly Section[]> {
  const legacyTitle = "Streamable HTTP, legacy era, a new session a call";
  return [
    await remoteSection(legacyTitle, "legacy", callers),
    await remoteSection("Streamable HTTP, modern era", "modern", callers),
    await oneToOne("SSE", sseClient(urls.sse, fixtureEcho), "sse", callers),
    await oneToOne("WebSocket", websocketClient(urls.websocket, fixtureEcho), "websocket", callers),
    await stdioSection(callers),
  ];
}

async function remoteSection(
  title: string,
  server: "legacy" | "modern",
  callers: number,
): Promise<Section> {
  const url = urls[server];
  const contestants = [
    defaultClient(url, fixtureEcho),
    await leanClient(url, fixtureEcho),
    throughGangway(gangway, server, fixtureEcho),
  ];
  return { title, ...(await measure(contestants, { rounds, callers, processes: { edge } })) };
}

async function oneToOne(
  title: string,
  direct: Contestant,
  server: string,
  callers: number,
): Promise<Section> {
  const contestants = [direct, throughGangway(gangway, server, fixtureEcho)];
  return { title, ...(await measure(contestants, { rounds, callers, processes: { edge } })) };
}

async function stdioSection(callers: number): Promise<Section> {
  const direct = await warmStdioClient(everythingProgram, everythingEcho);
  const contestants = [direct, throughGangway(gangway, "stdio", everythingEcho)];
  const measured = await measure(contestants, { rounds, callers, processes: { edge, host } });
  await direct.close();
  return { title: "Stdio, a warm process", ...measured };
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

function report(runs: readonly Run[]): void {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const text = [
    `Measured on ${date}: ${machine}; times in milliseconds.`,
    ...runs.flatMap(({ callers, sections }) => [runTitle(callers), ...sections.map(sectionTable)]),
  ].join("\n\n");
  console.log(text);
  if (values.write !== undefined) {
    writeFileSync(values.write, `${introduction}\n\n${text}\n\n${explanationIn(values.write)}`);
  }
}

/** What a person has written below the tables of a file, which stays. */
function explanationIn(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const at = text.indexOf("## What the numbers are made of");
  return at === -1 ? "" : text.slice(at);
}

function runTitle(callers: number): string {
  return `## ${callers === 1 ? "One caller" : `${callers} callers`}, ${rounds} interleaved rounds`;
}

function comparison(own: number, other: number): string {
  const difference = own - other;
  return `${(own / other).toFixed(2)}× (${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(2)} ms)`;
}

function sectionTable({ title, measurements, processorMs }: Section): string {
  const own = measurements.at(-1);
  const rows = measurements.map(({ name, p50, p95 }) => {
    const told = own === undefined || name === own.name ? "" : comparison(own.p50, p50);
    return `| ${name} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${told} |`;
  });
  const head = "| contestant | p50 | p95 | Gangway's p50 against it |\n| --- | --- | --- | --- |";
  const used = Object.entries(processorMs).map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`);
  return `### ${title}\n\n${head}\n${rows.join("\n")}\n\nProcessor time a call: ${used.join(", ")}.`;
}
