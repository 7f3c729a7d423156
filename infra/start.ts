import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSealKey } from "../shared/seal/seal-keys.ts";
import type { Child } from "./start/child.ts";
import { readConfigServers } from "./start/config-servers.ts";
import {
  developmentDeployment,
  developmentSection,
  readDevelopmentFile,
} from "./start/deployment.ts";
import { developmentKey } from "./start/development-key.ts";
import { startEdge } from "./start/edge-process.ts";
import { startExamples } from "./start/start-examples.ts";
import { findFreePort, requireFreePort } from "./start/free-port.ts";
import { startHost } from "./start/host-process.ts";
import { missingValues } from "./start/missing-values.ts";
import { help, parseOptions, type StartOptions } from "./start/options.ts";
import { readSecrets } from "./start/secrets.ts";
import { selfCheck } from "./start/self-check.ts";
import { StartError } from "./start/start-error.ts";
import { type OrphanWatcher, watchOrphans } from "./start/orphan-watcher.ts";
import { openStateFolder } from "./start/state-folder.ts";
import { makeTicketKeys } from "./start/ticket-keys.ts";
import { waitUntilReady, withLog } from "./start/wait-until-ready.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const usualHostPort = 8788;
const hostReadyMs = 30_000;
const edgeReadyMs = 60_000;
const parentCheckMs = 500;

const children: Child[] = [];
let runFolder: string | null = null;
let watcher: OrphanWatcher | null = null;
let stopping: Promise<void> | null = null;

/** Ends every process that was started; the same promise however often it is asked for. */
function stopAll(): Promise<void> {
  stopping ??= stopAllOnce();
  return stopping;
}

async function stopAllOnce(): Promise<void> {
  await Promise.all(children.map((child) => child.stop()));
  await watcher?.release();
  // It holds the ticket key and the secrets of this start.
  if (runFolder !== null) rmSync(runFolder, { recursive: true, force: true });
}

/** Ends with `npm start`, or is ended after it. */
function keep(child: Child): void {
  children.push(child);
  if (child.group > 0) watcher?.add(child.group);
}

function stopAndExit(): void {
  stopAll().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stopAndExit);

// npm passes no signal on, and dies alone: who kills `npm start` means all of it.
if (process.env["npm_lifecycle_event"] === "start") {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stopAndExit();
  }, parentCheckMs).unref();
}

try {
  const options = parseOptions(process.argv.slice(2), process.env["INIT_CWD"] ?? process.cwd());
  if (options === null) console.log(help);
  else await start(options);
} catch (error) {
  // After a signal the children end because we end them; the signal's handler exits.
  const told = stopping !== null;
  await stopAll();
  if (!(error instanceof StartError)) throw error;
  if (!told) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Starts everything, tells how to use it, and settles when a part has ended. */
async function start(options: StartOptions): Promise<void> {
  const file = readDevelopmentFile(options.deployment ?? join(root, "infra/gangway.dev.yaml"));
  const config = options.config === null ? null : readConfigServers(options.config);
  for (const note of config?.notes ?? []) console.warn(note);
  await requireFreePort(options.port, "--port");
  const hostPort = await hostPortOf(options);

  const state = openStateFolder(options.state ?? join(root, ".gangway"), process.pid);
  runFolder = state.run;
  watcher = watchOrphans(state.run);
  const key = await developmentKey(state.keyFile, developmentSection(file).key_id);
  const deployment = await developmentDeployment(file, key, config);
  const secrets = readSecrets(state.secretsFile, process.env);
  for (const note of [...secrets.notes, ...missingValues(deployment, secrets)]) console.warn(note);
  const tickets = await makeTicketKeys();
  const edgeUrl = `http://127.0.0.1:${options.port}`;
  const hostUrl = `http://127.0.0.1:${hostPort}`;

  console.log(
    `Starting the host on ${hostUrl} and the edge on ${edgeUrl}; logs are in ${state.logs}`,
  );
  const host = startHost(root, state, { port: hostPort, publicKey: tickets.publicKey });
  keep(host);
  const edge = startEdge(root, state, {
    port: options.port,
    deployment,
    vars: {
      ...secrets.variables,
      GANGWAY_HOST_URL: hostUrl,
      GANGWAY_TICKET_KEY: JSON.stringify(tickets.privateKey),
      // Sealed values of an earlier start no longer open, as after a rotation.
      GANGWAY_SEAL_KEYS: makeSealKey("dev"),
    },
  });
  keep(edge);
  await Promise.all([
    waitUntilReady(host, `${hostUrl}/health`, hostReadyMs),
    waitUntilReady(edge, `${edgeUrl}/ready`, edgeReadyMs),
  ]);

  const startedAt = performance.now();
  const echo = await Promise.race([selfCheck(edgeUrl, key), endOf(children)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Self-check: echo through edge and host answered '${echo}' in ${seconds} s`);
  console.log(`Ready: ${edgeUrl}  key: ${key}`);
  const shown = await Promise.race([
    startExamples({ url: edgeUrl, key }, { deployment, config }),
    endOf(children),
  ]);
  for (const { title, command } of shown) console.log(`\n${title}:\n${command}`);
  await endOf(children);
}

async function hostPortOf({ port, hostPort }: StartOptions): Promise<number> {
  if (hostPort === null) return findFreePort(usualHostPort, port);
  await requireFreePort(hostPort, "--host-port");
  return hostPort;
}

/** Rejects with a StartError as soon as one child has ended by itself. */
async function endOf(all: readonly Child[]): Promise<never> {
  const ended = all.map(async (child) => withLog(child, await child.ended));
  throw new StartError(await Promise.race(ended));
}
