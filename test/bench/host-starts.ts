import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inherited } from "../../infra/start/inherited-environment.ts";
import { until } from "../support/host-processes.ts";
import { survivors } from "../support/process-tree.ts";
import { startByNpx } from "../support/real-servers/by-npx.ts";
import { type RealServer, realServers } from "../support/real-servers/server-list.ts";
import { listRequest, serverProcesses } from "../support/real-servers/through-host.ts";
import { residentMiB } from "../support/resident-memory.ts";
import { resultOf } from "../support/run-request.ts";
import { type StartedHost, startHost } from "../support/start-host.ts";
import { quantile } from "./host-rounds.ts";

/** Two light servers, and three with many dependencies that start without an account. */
const packages = [
  "@modelcontextprotocol/server-everything",
  "@modelcontextprotocol/server-filesystem",
  "@sentry/mcp-server",
  "@mastra/mcp-docs-server",
  "mongodb-mcp-server",
];
/** A first start downloads the packages. */
const longestStartMs = 240_000;

interface Start {
  /** Until the tools are listed. */
  readonly ms: number;
  /** Of all processes of the server, then. */
  readonly memoryMiB: number;
}

interface Starts {
  /** With nothing on the disk. */
  readonly cold: Start;
  /** Medians of the starts after it. */
  readonly second: Start;
}

export interface StartMeasure {
  readonly server: string;
  readonly npx: Starts;
  readonly host: Starts;
}

/**
 * Starts every server whose name has `only` in it, by npx and by the host, by turns: first from an
 * empty disk, then `rounds` times.
 */
export async function measureStarts(
  rounds: number,
  only: string,
): Promise<readonly StartMeasure[]> {
  const measures: StartMeasure[] = [];
  for (const name of packages.filter((one) => one.includes(only))) {
    process.stderr.write(`starts ${name}\n`);
    const server = realServers.find((one) => one.package === name);
    if (server !== undefined) measures.push(await measureServer(server, rounds));
  }
  return measures;
}

async function measureServer(server: RealServer, rounds: number): Promise<StartMeasure> {
  const home = await mkdtemp(join(tmpdir(), "gangway-bench-npx-"));
  const host = await startHost({
    environment: { ...inherited(), GANGWAY_HOST_STOP_GRACE_MS: "500" },
  });
  try {
    const byNpx: Start[] = [];
    const byHost: Start[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      byNpx.push(await npxStart(server, home));
      byHost.push(await hostStart(server, host));
    }
    return { server: `${server.package}@${server.version}`, npx: told(byNpx), host: told(byHost) };
  } finally {
    await host.dispose();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function told([cold, ...later]: readonly Start[]): Starts {
  const median = (read: (start: Start) => number) => quantile(later.map(read), 0.5);
  return {
    cold: cold ?? { ms: Number.NaN, memoryMiB: Number.NaN },
    second: { ms: median(({ ms }) => ms), memoryMiB: median(({ memoryMiB }) => memoryMiB) },
  };
}

async function npxStart(server: RealServer, home: string): Promise<Start> {
  const outcome = await startByNpx(server, home, longestStartMs);
  if (outcome.ok) return outcome.measure;
  throw new TypeError(`npx ${server.package}: ${outcome.reason}\n${outcome.tail}`);
}

async function hostStart(server: RealServer, host: StartedHost): Promise<Start> {
  const request = listRequest(server, "tools/list");
  const limits = { ...request.limits, install_ms: longestStartMs, idle_ms: 100 };
  const startedAt = performance.now();
  resultOf(await host.run({ ...request, limits }));
  const ms = performance.now() - startedAt;
  const tree = serverProcesses(host);
  const memoryMiB = residentMiB(tree);
  await until("the server has ended", () => survivors(tree).length === 0, 30_000);
  return { ms, memoryMiB };
}
