import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { createHost, type Host } from "./host.ts";
import { createLog } from "./log.ts";
import { SettingsError } from "./setting-readers.ts";
import { type HostSettings, readSettings } from "./settings.ts";

/** Exit code for settings that the host cannot start with, a taken port included. */
const badSettings = 2;
/** Most that a caller who does not read may hold up the end. */
const lastBytesMs = 1000;

function main(): void {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
  const version = readVersion();
  const host = createHost(settings, { log, version });
  const { bindAddress: hostname, port, development } = settings;
  const server = serve({ fetch: host.app.fetch, hostname, port }, (info) =>
    log.info({ address: info.address, port: info.port, version, development }, "host ready"),
  );
  server.once("error", (error: Error) => void giveUp(settings, host, error));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, "host ends");
    await host.close();
    server.close(() => process.exit(0)); // Answers that are under way are written to their end.
    setTimeout(() => process.exit(0), lastBytesMs);
  };
  process.once("SIGTERM", (signal) => void end(signal));
  process.once("SIGINT", (signal) => void end(signal));
}

async function giveUp(
  { bindAddress, port }: HostSettings,
  host: Host,
  error: Error,
): Promise<void> {
  await host.close();
  const reason = "code" in error ? String(error.code) : error.name;
  const place = `GANGWAY_HOST_ADDRESS=${bindAddress} GANGWAY_HOST_PORT=${port}`;
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

try {
  main();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  refuse(error.message);
}
