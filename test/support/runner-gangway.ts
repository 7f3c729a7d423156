import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cancelTicketBody, type RunRequest } from "../../shared/run-contract/contract.ts";
import { signTicket } from "../../shared/run-contract/ticket.ts";
import type { DockerEngine } from "./docker-engine.ts";
import { dockerPlugins } from "./docker-plugins.ts";
import { type Answer, post } from "./gangway.ts";
import { egressImage, registryInEngine } from "./host-image.ts";
import { until } from "./host-processes.ts";
import { startRelay } from "./relay.ts";
import { type RunnerOptions, writeRunnerConfigs } from "./runner-configs.ts";
import { root } from "./source-files.ts";

const relayProgram = new URL("namespace-relay-program.ts", import.meta.url).pathname;
const edgePort = 8787;
const readyWithinMs = 90_000;

export interface RunnerGangwayOptions extends RunnerOptions {
  /** URL of a registry on this machine's loopback. */
  readonly registry: string;
}

export interface RunOptions {
  /** Default: a good one for the request. */
  readonly ticket?: string;
  /** The caller goes away as soon as the answer has this text. */
  readonly breakAt?: string;
}

/** Edge and runner in one `wrangler dev`, whose hosts run in real containers of the engine. */
export interface RunnerGangway {
  /** Posts JSON to the edge with a tenant's key. */
  readonly post: (tenant: string, path: string, body: unknown) => Promise<Answer>;
  /** Sends a run to the runner itself. */
  readonly run: (request: RunRequest, options?: RunOptions) => Promise<Response>;
  /** Cancels a run of the tenant `acme`, whichever of its hosts has it. */
  readonly cancel: (requestId: string) => Promise<unknown>;
  /** Names of the hosts' containers that run. */
  readonly hosts: () => Promise<string[]>;
  /** What the side-car of a host's network was told of the internet, the last time. */
  readonly internet: (host: string) => Promise<unknown>;
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** Needs the images of `buildImages`. */
export async function startRunnerGangway(
  engine: DockerEngine,
  options: RunnerGangwayOptions,
): Promise<RunnerGangway> {
  // The paths of its sockets must be short.
  const folder = await mkdtemp("/tmp/gangway-runner-");
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  ];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const { files, keys, ticketKey } = await writeRunnerConfigs(folder, {
      ...options,
      runnerVars: {
        GANGWAY_HOST_NPM_REGISTRY: `http://${registryInEngine}`,
        ...options.runnerVars,
      },
    });
    const wrangler = await startWrangler(engine, { folder, configs: files });
    closing.push(wrangler.close);
    const url = await openWays(engine, { folder, registry: new URL(options.registry) }, closing);
    await until("the edge answers", () => isUp(url), readyWithinMs).catch((cause: unknown) => {
      const said = wrangler.log().slice(-4000);
      throw new TypeError(`wrangler dev did not start: ${said}`, { cause });
    });
    const sign = (tenant: string, body: Uint8Array) =>
      signTicket(ticketKey, { tenant, body, nowS: Math.floor(Date.now() / 1000) });
    return {
      post: (tenant, path, body) =>
        post(url, keys.get(tenant) ?? "", { path, body, signal: undefined }),
      cancel: async (requestId) => {
        const ticket = await sign("acme", cancelTicketBody(requestId));
        const headers = { authorization: `Bearer ${ticket}` };
        const path = `/_runner/v1/runs/${requestId}`;
        return (await fetch(url + path, { method: "DELETE", headers })).json();
      },
      run: async (request, { ticket, breakAt } = {}) => {
        const body = new TextEncoder().encode(JSON.stringify(request));
        const own = await sign(request.tenant, body);
        const headers = {
          authorization: `Bearer ${ticket ?? own}`,
          ...(breakAt === undefined ? {} : { "x-break-at": breakAt }),
        };
        return fetch(`${url}/_runner/v1/run`, { method: "POST", headers, body });
      },
      hosts: () => runningHosts(engine),
      internet: async (host) => {
        const told = await engine.docker("logs", "--tail", "1", `${host}${sideCar}`);
        return JSON.parse(told).internet;
      },
      log: wrangler.log,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How the container beside each host's is called. */
const sideCar = "-proxy";

async function runningHosts(engine: DockerEngine): Promise<string[]> {
  const names = await engine.docker("container", "ls", "--format", "{{.Names}}");
  return names.split("\n").filter((name) => name !== "" && !name.endsWith(sideCar));
}

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The images are here already, and no registry is; older clients build with buildx only when told. */
const dockerWrapper = `#!/bin/sh
case "$1" in
  pull) ;;
  build) exec docker buildx "$@" ;;
  *) exec docker "$@" ;;
esac
`;

interface Wrangler {
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

async function startWrangler(
  engine: DockerEngine,
  { folder, configs }: { readonly folder: string; readonly configs: readonly string[] },
): Promise<Wrangler> {
  const docker = join(folder, "docker");
  await writeFile(docker, dockerWrapper);
  await chmod(docker, 0o755);
  const args = [
    join(root, "node_modules/wrangler/bin/wrangler.js"),
    "dev",
    ...configs.map((config) => `--config=${config}`),
    "--ip=127.0.0.1",
    `--port=${edgePort}`,
    "--inspector-port=0",
    `--persist-to=${join(folder, "state")}`,
    "--show-interactive-dev-session=false",
  ];
  const child = spawn("nsenter", [inNetworkOf(engine), process.execPath, ...args], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CI: "true",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_LOG_PATH: join(folder, "logs"),
      WRANGLER_SEND_ERROR_REPORTS: "false",
      WRANGLER_SEND_METRICS: "false",
      DOCKER_CONFIG: await dockerPlugins(),
      DOCKER_HOST: engine.host,
      WRANGLER_DOCKER_BIN: docker,
      MINIFLARE_CONTAINER_EGRESS_IMAGE: egressImage,
    },
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => said.push(text));
  }
  return { log: () => said.join(""), close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => process.kill(-Number(child.pid), "SIGKILL"), 20_000);
  await ended;
  clearTimeout(late);
}

function inNetworkOf(engine: DockerEngine): string {
  return `--net=/proc/${engine.pid}/ns/net`;
}

interface Ends {
  readonly folder: string;
  readonly registry: URL;
}

/** Ways into the engine's network for the test, and out of it to the registry; answers the edge's URL. */
async function openWays(
  engine: DockerEngine,
  { folder, registry }: Ends,
  closing: (() => Promise<unknown>)[],
): Promise<string> {
  const sockets = { edge: join(folder, "edge"), registry: join(folder, "npm") };
  const inside = [sockets.edge, `127.0.0.1:${edgePort}`, registryInEngine, sockets.registry];
  const args = [inNetworkOf(engine), process.execPath, relayProgram, ...inside];
  const child = spawn("nsenter", args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  closing.push(() => end(child));
  await once(child, "message");
  const toRegistry = { host: registry.hostname, port: Number(registry.port) };
  closing.push((await startRelay({ path: sockets.registry }, toRegistry)).close);
  const front = await startRelay({ host: "127.0.0.1", port: 0 }, { path: sockets.edge });
  closing.push(front.close);
  return `http://127.0.0.1:${front.port}`;
}
