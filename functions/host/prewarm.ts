import { resolve } from "node:path";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import { createLog } from "./log.ts";
import { installSeed } from "./prewarm/install-seed.ts";
import { readArguments } from "./prewarm/read-arguments.ts";
import { SettingsError } from "./setting-readers.ts";
import { readInstallSettings } from "./settings.ts";

const badArguments = 2;
const notInstalled = 1;

/** Installs packages into GANGWAY_HOST_SEED_DIR when an image is built, or prints which those are. */
async function main(): Promise<void> {
  const { packages, install, printed } = readArguments(process.argv.slice(2));
  if (printed !== null) return void process.stdout.write(`${printed.join(" ")}\n`);
  const folder = process.env["GANGWAY_HOST_SEED_DIR"];
  if (!folder)
    throw new SettingsError(
      "GANGWAY_HOST_SEED_DIR is missing; set it to the folder to install into.",
    );
  const settings = readInstallSettings(process.env);
  await installSeed(resolve(folder), packages, { settings, install, log: createLog("info") });
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof GatewayError)) throw error;
  process.stderr.write(`gangway prewarm: ${error.message}\n`);
  const tail = error instanceof GatewayError ? error.details?.["stderr_tail"] : undefined;
  if (typeof tail === "string") process.stderr.write(`${tail}\n`);
  process.exitCode = error instanceof SettingsError ? badArguments : notInstalled;
}
