import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DockerEngine, startDockerEngine } from "../docker-engine.ts";
import { importFixtureImage } from "../docker-images.ts";
import { dockerCall } from "../docker-run.ts";
import { until } from "../host-processes.ts";
import { startNpmRegistry, stdioFixtures } from "../npm-registry.ts";
import { type ProcessEntry, survivors } from "../process-tree.ts";
import { callRequest } from "../run-request.ts";
import { type StartedHost, startHost } from "../start-host.ts";
import { killHost, serverCalls } from "./killed-host.ts";
import { beyond, pathsIn, type Traces, tracesOf } from "./traces.ts";
import { type Cycle, type Way, ways } from "./ways.ts";

export interface CyclesOptions {
  readonly cycles: number;
  readonly sideBySide: number;
  /** One in so many cycles of most ways is of a container; null = none. */
  readonly containerEvery: number | null;
  readonly onProgress?: (done: number) => void;
}

export interface CyclesReport {
  /** Cycles by their way; those of a killed host are the servers that it had. */
  readonly counts: Readonly<Record<string, number>>;
  /** Calls whose outcome was not that of their way. */
  readonly wrong: readonly string[];
  /** What was there a minute after the last cycle and not before the first, a line each. */
  readonly left: readonly string[];
  /** From the last cycle to the baseline, ms. */
  readonly settledMs: number;
  /** The slowest killed host: until the last of its processes was gone, ms. */
  readonly killedHostMs: number;
}

/** Far more than it takes; how long it took is in the report. */
const settleWithinMs = 60_000;
const serversOfKilledHost = 10;
const names = Object.keys(ways) as Way[];
/** Their servers' pids are of the container's own. */
const notInContainers: ReadonlySet<Way> = new Set([
  "kill-server",
  "daemonise",
  "daemonise-cleared",
]);

/** Starts servers and ends them in every way, several side by side; counts what is left of them. */
export async function runCycles(options: CyclesOptions): Promise<CyclesReport> {
  await using stage = await openStage(options);
  const { host, engine } = stage;
  const report = { counts: {} as Record<string, number>, wrong: [] as string[], killedHostMs: 0 };
  const daemons: ProcessEntry[] = [];
  const count = (way: string, by: number) => (report.counts[way] = (report.counts[way] ?? 0) + by);

  const runOne = async (index: number): Promise<void> => {
    const { way, inContainer } = planCycle(index, options.containerEvery);
    const call: Cycle["call"] = (program, tool, changes) =>
      (inContainer ? dockerCall : callRequest)(program, tool, {}, changes);
    const onDaemon = (one: ProcessEntry) => daemons.push(one);
    const cycle = { host, call, key: `cycle ${index}`, onDaemon };
    await ways[way](cycle).catch((error: unknown) =>
      report.wrong.push(`${index} ${way}: ${String(error)}`),
    );
    count(inContainer ? `container: ${way}` : way, 1);
  };
  const killOne = async (index: number): Promise<void> => {
    const doomed = await stage.startDoomed();
    const killed = await killHost(doomed, serverCalls(serversOfKilledHost));
    report.killedHostMs = Math.max(report.killedHostMs, killed.goneMs ?? Infinity);
    report.wrong.push(...killed.left.map((one) => `${index} kill-host leaves ${one.command}`));
    count("kill-host", serversOfKilledHost);
  };

  const perRound = names.length * serversOfKilledHost + serversOfKilledHost;
  const tasks = Array.from({ length: options.cycles }, (_, index) => index).flatMap((index) => {
    const place = index % perRound;
    if (place === 0) return [() => killOne(index)];
    return place < serversOfKilledHost ? [] : [() => runOne(index)];
  });
  let done = 0;
  const work = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      await task();
      done += 1;
      if (done % 500 === 0) options.onProgress?.(done);
    }
  };
  await Promise.all(Array.from({ length: options.sideBySide }, work));
  const endedAt = performance.now();
  const leftNow = async () => [
    ...beyond(stage.baseline, await tracesOf(host, engine)),
    ...survivors(daemons).map((one) => `daemons: ${one.pid} ${one.command}`),
    ...stage.doomedPaths(),
  ];
  const isClean = async () => (await leftNow()).length === 0;
  await until("the baseline", isClean, settleWithinMs).catch(() => undefined);
  const settledMs = performance.now() - endedAt;
  const left = await leftNow();
  for (const { pid } of survivors(daemons)) process.kill(pid, "SIGKILL");
  return { ...report, left, settledMs };
}

/** Every way comes up as often as any other. */
function planCycle(
  index: number,
  containerEvery: number | null,
): { way: Way; inContainer: boolean } {
  const turn = containerEvery === null ? 0 : (index + 1) / containerEvery;
  const inContainer = containerEvery !== null && Number.isInteger(turn);
  const possible = inContainer ? names.filter((way) => !notInContainers.has(way)) : names;
  return { way: possible[(inContainer ? turn : index) % possible.length] ?? "close", inContainer };
}

interface Stage extends AsyncDisposable {
  readonly host: StartedHost;
  readonly engine: DockerEngine | null;
  readonly baseline: Traces;
  /** A host that is to be killed; all of them share one data folder. */
  readonly startDoomed: () => Promise<StartedHost>;
  /** What killed hosts have left in it. */
  readonly doomedPaths: () => string[];
}

async function openStage({ containerEvery }: CyclesOptions): Promise<Stage> {
  const registry = await startNpmRegistry([stdioFixtures()]);
  const engine = containerEvery === null ? null : await startDockerEngine();
  if (engine !== null) await importFixtureImage(engine);
  const environment = {
    GANGWAY_HOST_NPM_REGISTRY: registry.url,
    GANGWAY_HOST_STOP_GRACE_MS: "100",
    GANGWAY_HOST_MAX_PROCESSES: "64",
    GANGWAY_HOST_LOG_LEVEL: "info",
    ...(engine === null ? {} : { GANGWAY_HOST_DOCKER_ENGINE: engine.host }),
  };
  const doomedDir = await mkdtemp(join(tmpdir(), "gangway-doomed-"));
  const startDoomed = () => startHost({ environment, dataDir: doomedDir });
  const host = await startHost({ environment });
  await settle(host, engine);
  const first = await startDoomed();
  await first.run(callRequest("echo", "pid"));
  await first.end();
  const baseline = await tracesOf(host, engine);
  const doomedBaseline = pathsIn(doomedDir);
  return {
    host,
    engine,
    baseline,
    startDoomed,
    doomedPaths: () => pathsIn(doomedDir).filter((path) => !doomedBaseline.includes(path)),
    async [Symbol.asyncDispose]() {
      await host.dispose();
      await Promise.all([engine?.close(), registry.close()]);
      await rm(doomedDir, { recursive: true, force: true });
    },
  };
}

/** A server, and one in a container, have come and gone: all that stays with a host is there. */
async function settle(host: StartedHost, engine: DockerEngine | null): Promise<void> {
  const changes = { limits: { idle_ms: 1 } };
  await host.run(callRequest("echo", "pid", {}, changes));
  if (engine !== null) await host.run(dockerCall("echo", "pid", {}, changes));
  const isPassing = (command: string) =>
    /^\S*\/(?:node|docker) (?!.*\/host\/main\.ts)/.test(command);
  await until(
    "the servers have ended",
    async () => {
      const { processes, containers } = await tracesOf(host, engine);
      return containers.length === 0 && !processes.some(isPassing);
    },
    60_000,
  );
}
