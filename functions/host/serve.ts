import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHost, type Host } from "./host.ts";
import { createLog, type Log } from "./log.ts";
import { HostMetrics } from "./metrics/host-metrics.ts";
import { createMetricsServer } from "./metrics/metrics-server.ts";
import { type Environment, SettingsError } from "./setting-readers.ts";
import { type HostSettings, type Listening, readSettings } from "./settings.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** Exit code for settings that the host cannot start with, a taken port included. */
const badSettings = 2;
/** Most that a caller who does not read may hold up the end. */
const lastBytesMs = 1000;
/** Longer than edges keep an idle connection: a request never meets one that the host just closed. */
const idleConnectionMs = 75_000;
/** Longest that a request may take to come in: as long as its ticket lives. */
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
} as const;

/** Runs the host until a signal ends it; settings that it cannot start with end it with exit code 2. */
export function serveHost(environment: Environment): void {
  try {
    start(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    refuse(error.message);
  }
}

function start(environment: Environment): void {
  const settings = readSettings(environment);
  const log = createLog(settings.logLevel);
  for (const told of unknownVariables(environment)) log.warn(told, "variable is no setting");
  const version = readVersion();
  const metrics = new HostMetrics(version);
  const host = createHost(settings, { log, metrics, version });
  const { bindAddress, port, development } = settings;
  const server = createServer({ keepAliveTimeout: idleConnectionMs, ...timeouts }, host.app);
  server.once("error", (error: Error) => void giveUp(host, placeOf(settings), error));
  server.listen(port, bindAddress, () =>
    log.info({ ...boundTo(server.address()), version, development }, "host ready"),
  );
  if (settings.metrics !== null) serveMetrics(settings.metrics, { host, metrics, log });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, "host ends");
    await host.close();
    server.close(() => process.exit(0)); // Answers that are under way are written to their end.
    setTimeout(() => process.exit(0), lastBytesMs);
  };
  process.once("SIGTERM", (signal) => void end(signal));
  process.once("SIGINT", (signal) => void end(signal));
}

function boundTo(bound: string | AddressInfo | null): { address?: string; port?: number } {
  if (bound === null || typeof bound === "string") return {};
  return { address: bound.address, port: bound.port };
}

interface Measured {
  readonly host: Host;
  readonly metrics: HostMetrics;
  readonly log: Log;
}

/** The numbers stay readable until the process ends. */
function serveMetrics({ address, port }: Listening, { host, metrics, log }: Measured): void {
  const server = createMetricsServer(metrics);
  const place = `GANGWAY_HOST_METRICS_ADDRESS=${address} GANGWAY_HOST_METRICS_PORT=${port}`;
  server.once("error", (error) => void giveUp(host, place, error));
  server.listen(port, address, () => log.info({ place: server.address() }, "metrics ready"));
}

function placeOf({ bindAddress, port }: HostSettings): string {
  return `GANGWAY_HOST_ADDRESS=${bindAddress} GANGWAY_HOST_PORT=${port}`;
}

async function giveUp(host: Host, place: string, error: Error): Promise<void> {
  await host.close();
  const reason = "code" in error ? String(error.code) : error.name;
  refuse(`${place} cannot be listened on (${reason}); choose a free address and port.`);
}

function refuse(message: string): never {
  process.stderr.write(`gangway host: ${message}\n`);
  process.exit(badSettings);
}

function readVersion(): string {
  const path = new URL("../../package.json", import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}
