import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { createHost } from "./host.ts";
import { createLog } from "./log.ts";
import { type HostSettings, readSettings, SettingsError } from "./settings.ts";

/** Exit code for settings that the host cannot start with, a taken port included. */
const badSettings = 2;
/** Most that a caller who does not read may hold up the end. */
const lastBytesMs = 1000;

function main(): void {
  const settings = settingsOrExit();
  const log = createLog(settings.logLevel);
  const version = readVersion();
  const host = createHost(settings, { log, version });
  const server = serve({ fetch: host.app.fetch, hostname: settings.bindAddress, port: settings.port }, ({ address, port }) =>
    log.info({ address, port, version, development: settings.development }, "host ready"),
  );
  server.once("error", (error: NodeJS.ErrnoException) => {
    const place = `GANGWAY_HOST_ADDRESS=${settings.bindAddress} GANGWAY_HOST_PORT=${settings.port}`;
    void host.close().finally(() => refuse(`${place} cannot be listened on (${error.code}); choose a free address and port.`));
  });
  const end = (signal: NodeJS.Signals) => {
    log.info({ signal }, "host ends");
    void host.close().finally(() => {
      server.close(() => process.exit(0)); // Answers that are under way are written to their end.
      setTimeout(() => process.exit(0), lastBytesMs);
    });
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
}

function settingsOrExit(): HostSettings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof SettingsError) return refuse(error.message);
    throw error;
  }
}

function refuse(message: string): never {
  process.stderr.write(`gangway host: ${message}\n`);
  process.exit(badSettings);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return String(version);
}

main();
