import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair } from "jose";
import { parse } from "smol-toml";
import { workerConfig } from "../../infra/start/worker-config.ts";
import { makeApiKey } from "../../shared/api/api-key.ts";
import type { DockerEngine } from "./docker-engine.ts";
import { importNodeImage, nodeImage } from "./docker-images.ts";
import { dockerPlugins } from "./docker-plugins.ts";
import { type Answer, deploymentOf, type GangwayOptions, post } from "./gangway.ts";
import { until } from "./host-processes.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const relayProgram = new URL("namespace-relay-program.ts", import.meta.url).pathname;
const egressProgram = new URL("../fixtures/docker/egress-stand-in.mjs", import.meta.url).pathname;
const hostImage = "gangway-host:test";
const egressImage = "gangway-egress:test";
const edgePort = 8787;
/** The engine's own end of its containers' network, and where the registry is in it. */
const bridgeAddress = "172.31.255.1";
const registryPort = 4873;
const readyWithinMs = 60_000;

/** The host's image, and the side-car's stand-in, built without any network. */
export async function buildImages(engine: DockerEngine): Promise<void> {
  await importNodeImage(engine);
  const build = async (args: readonly string[], cwd: string) => {
    const config = await dockerPlugins();
    const env = { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), DOCKER_CONFIG: config };
    const all = ["--host", engine.host, "build", "--network=none", "--load", ...args, "."];
    await run("docker", all, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  };
  await build(["-f", "infra/Dockerfile", "--target", "host", "-t", hostImage], root);
  const folder = await mkdtemp(join(tmpdir(), "gangway-egress-"));
  const lines = [`FROM ${nodeImage}`, "COPY program.mjs /", 'ENTRYPOINT ["node", "/program.mjs"]'];
  await writeFile(join(folder, "Dockerfile"), lines.join("\n"));
  await writeFile(join(folder, "program.mjs"), await readFile(egressProgram));
  await build(["-t", egressImage], folder);
  await rm(folder, { recursive: true, force: true });
}

export interface RunnerGangwayOptions extends GangwayOptions {
  /** Further variables of the runner. */
  readonly runnerVars?: Readonly<Record<string, string>>;
  /** Url of a registry on this machine's loopback. */
  readonly registry: string;
}

/** Edge and runner in one `wrangler dev`, whose hosts run in real containers of the engine. */
export interface RunnerGangway {
  readonly post: (
    tenant: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
  ) => Promise<Answer>;
  readonly url: string;
  readonly keys: ReadonlyMap<string, string>;
  /** Names of the hosts' containers that run. */
  readonly hosts: () => Promise<string[]>;
  /** What the side-cars of the network were told, one text a container. */
  readonly egress: () => Promise<string[]>;
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
  const { keys, configs } = await writeConfigs(folder, options);
  const sockets = { edge: join(folder, "edge"), registry: join(folder, "npm") };
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  ];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const registry = new URL(options.registry);
    closing.push((await forward(sockets.registry, registry.port)).close);
    const wrangler = await startWrangler(engine, { folder, configs });
    closing.push(wrangler.close);
    const relays = await startRelay(engine, [
      [sockets.edge, `127.0.0.1:${edgePort}`],
      [`${bridgeAddress}:${registryPort}`, sockets.registry],
    ]);
    closing.push(relays);
    const front = await listen(sockets.edge);
    closing.push(front.close);
    const { url } = front;
    await until("the edge answers", () => isUp(url, wrangler.log), readyWithinMs).catch(
      (cause: unknown) => {
        throw new TypeError(`wrangler dev did not start: ${wrangler.log().slice(-4000)}`, {
          cause,
        });
      },
    );
    return {
      url,
      keys,
      post: (tenant, path, body, signal) =>
        post(url, keys.get(tenant) ?? "", { path, body, signal }),
      hosts: async () => (await running(engine)).filter((name) => !name.endsWith("-proxy")),
      egress: async () => {
        const names = (await engine.containers()).filter((name) => name.endsWith("-proxy"));
        return Promise.all(names.map((name) => engine.docker("logs", name)));
      },
      log: wrangler.log,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function running(engine: DockerEngine): Promise<string[]> {
  const names = await engine.docker("container", "ls", "--format", "{{.Names}}");
  return names.split("\n").filter((name) => name.startsWith("workerd-"));
}

async function isUp(url: string, log: () => string): Promise<boolean> {
  if (log().includes("[ERROR]")) throw new TypeError(`wrangler dev failed: ${log().slice(-4000)}`);
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function writeConfigs(
  folder: string,
  options: RunnerGangwayOptions,
): Promise<{ keys: Map<string, string>; configs: string[] }> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const keys = new Map<string, string>();
  for (const [index, tenant] of ["acme", ...(options.moreTenants ?? [])].entries()) {
    keys.set(tenant, await makeApiKey("test", `ten${index}`));
  }
  const deploymentFile = join(folder, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(await deploymentOf(options, keys)));
  const ticketKey = JSON.stringify(await exportJWK(privateKey));
  const vars = { GANGWAY_TICKET_KEY: ticketKey, ...options.vars };
  const edge = JSON.parse(workerConfig(join(root, "wrangler.toml"), { deploymentFile, vars }));
  const services = [{ binding: "GANGWAY_RUNNER", service: "gangway-runner" }];
  const edgeFile = join(folder, "edge.json");
  await writeFile(edgeFile, JSON.stringify({ ...edge, services }));

  const runnerToml = join(root, "functions/runner/wrangler.toml");
  const runner = parse(await readFile(runnerToml, "utf8")) as {
    main: string;
    containers: object[];
  };
  // What wrangler builds is one line on top of the image that is tested.
  await mkdir(join(folder, "image"));
  const image = join(folder, "image", "Dockerfile");
  await writeFile(image, `FROM ${hostImage}\n`);
  const [{ image_build_context: _, ...container } = {} as Record<string, unknown>] =
    runner.containers as Record<string, unknown>[];
  const runnerFile = join(folder, "runner.json");
  const runnerConfig = {
    ...runner,
    main: join(dirname(runnerToml), runner.main),
    containers: [{ ...container, image }],
    vars: {
      GANGWAY_HOST_TICKET_KEY: JSON.stringify(await exportJWK(publicKey)),
      GANGWAY_HOST_NPM_REGISTRY: `http://${bridgeAddress}:${registryPort}`,
      GANGWAY_RUNNER_NAME_KEY: "a key of the test, long enough for it",
      ...options.runnerVars,
    },
  };
  await writeFile(runnerFile, JSON.stringify(runnerConfig));
  return { keys, configs: [edgeFile, runnerFile] };
}

interface Wrangler {
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

async function startWrangler(
  engine: DockerEngine,
  { folder, configs }: { readonly folder: string; readonly configs: readonly string[] },
): Promise<Wrangler> {
  const docker = join(folder, "docker");
  // Its images are here already, and no registry is.
  await writeFile(docker, '#!/bin/sh\n[ "$1" = pull ] || exec docker "$@"\n');
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
  const ended = once(child, "exit");
  const lines: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  return {
    log: () => lines.join(""),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      const late = setTimeout(() => process.kill(-Number(child.pid), "SIGKILL"), 20_000);
      await ended;
      clearTimeout(late);
    },
  };
}

function inNetworkOf(engine: DockerEngine): string {
  return `--net=/proc/${engine.pid}/ns/net`;
}

/** Listens in the engine's network. */
async function startRelay(
  engine: DockerEngine,
  places: readonly (readonly [string, string])[],
): Promise<() => Promise<void>> {
  const args = [inNetworkOf(engine), process.execPath, relayProgram, ...places.flat()];
  const child = spawn("nsenter", args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  await Promise.race([
    once(child, "message"),
    ended.then(([code]) => {
      throw new TypeError(`the relay ended with ${code}`);
    }),
  ]);
  return async () => {
    child.kill();
    await ended;
  };
}

interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A loopback port whose connections go to the socket. */
function listen(path: string): Promise<Listening> {
  return relay({ host: "127.0.0.1", port: 0 }, { path });
}

/** A socket whose connections go to a loopback port. */
function forward(path: string, port: string): Promise<Listening> {
  return relay({ path }, { host: "127.0.0.1", port: Number(port) });
}

async function relay(
  from: { path: string } | { host: string; port: number },
  to: { path: string } | { host: string; port: number },
): Promise<Listening> {
  const sockets = new Set<{ destroy: () => void }>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...to, allowHalfOpen: true });
    client.pipe(target).pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => (sockets.delete(one), other.destroy()));
    }
  });
  server.listen(from);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
