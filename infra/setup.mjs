// Runs before `npm start`, `npm test` and `npm run check`, on whatever Node the machine has:
// plain JavaScript that Node 20 can read, with no dependency.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const leastNode = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const lockFile = join(root, "package-lock.json");
const installedLockFile = join(root, "node_modules", ".package-lock.json");
const stampFile = join(root, "node_modules", ".gangway-setup");
const stateFolder = join(root, ".gangway");
/** A link that names the process which installs: there is none without a target. */
const turnFile = join(stateFolder, "installing");
const ownNode = join(root, "node_modules", "node", "bin", "node");

/** npm's codes for a registry that does not answer. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EPROTO|CERT_\w+)\b/;
/** npm's codes for a registry whose certificate it does not trust. */
const untrusted =
  /\b(CERT_UNTRUSTED|UNABLE_TO_(?:GET|VERIFY)_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*)\b/;

checkNode();
if (!isInstalled()) await installAlone();
checkOwnNode();

function checkNode() {
  const { node } = process.versions;
  if (Number(node.split(".")[0]) >= leastNode) return;
  fail(
    `Node ${node} is too old: install Node ${leastNode} or newer (https://nodejs.org), then try again.`,
  );
}

/** True when node_modules was installed from the lockfile as it is now. */
function isInstalled() {
  if (!existsSync(installedLockFile)) return false;
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp()) return true;
  return statSync(installedLockFile).mtimeMs >= statSync(lockFile).mtimeMs;
}

function stamp() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

/** Two that install into one folder empty it under each other: the second waits, and finds it done. */
async function installAlone() {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  let told = false;
  while (!takeTurn()) {
    if (!told) console.log("Waiting for another process that installs the dependencies …");
    told = true;
    await pause(100);
  }
  process.once("exit", () => rmSync(turnFile, { force: true }));
  if (!isInstalled()) await install();
}

/** False while a process that is alive has its turn. */
function takeTurn() {
  try {
    symlinkSync(String(process.pid), turnFile);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (isAtWork()) return false;
  rmSync(turnFile, { force: true });
  return takeTurn();
}

function isAtWork() {
  try {
    process.kill(Number(readlinkSync(turnFile)), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function install() {
  console.log("Installing dependencies with `npm ci` (the first time this takes about a minute) …");
  const result = await runNpm();
  if (result.interrupted) process.exit(130);
  if (result.status !== 0) explain(result);
  writeFileSync(stampFile, stamp());
}

/** Ctrl-C reaches npm as well: this process ends after it, so that nothing is written any more. */
function runNpm() {
  const { command, prefix } = npmCommand();
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const retries = [
    "--fetch-retries=2",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
  ];
  const result = { status: null, stderr: "", error: undefined, interrupted: false };
  const npm = spawn(command, [...prefix, "ci", ...options, ...retries], {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
    // Keeps an older npm, which runs every install script, from writing git hooks.
    env: { ...process.env, CI: "true", LEFTHOOK: "0" },
  });
  npm.stderr.setEncoding("utf8").on("data", (text) => {
    result.stderr += text;
  });
  process.on("SIGINT", () => {
    if (result.interrupted) npm.kill("SIGKILL");
    else console.log("Waiting for npm to end; Ctrl-C again kills it.");
    result.interrupted = true;
  });
  return new Promise((resolve) => {
    npm.once("error", (error) => resolve({ ...result, error }));
    npm.once("close", (status) => resolve({ ...result, status }));
  });
}

/** npm as it started us, else the one on PATH. */
function npmCommand() {
  const cli = process.env["npm_execpath"];
  if (cli !== undefined && /npm-cli\.[cm]?js$/.test(cli)) {
    return { command: process.execPath, prefix: [cli] };
  }
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", prefix: [] };
}

function explain(result) {
  const output = result.stderr;
  const [certificate] = untrusted.exec(output) ?? [];
  if (certificate !== undefined) {
    fail(
      `The certificate of the npm registry, or of a proxy before it, is not trusted (${certificate}): set NODE_EXTRA_CA_CERTS to the PEM file of its CA, or \`npm config set cafile FILE\`, then try again.`,
    );
  }
  const [code] = unreachable.exec(output) ?? [];
  if (code !== undefined) {
    const named = process.env["npm_config_registry"];
    // What stands before the @ may be a password.
    const registry = named === undefined ? "" : ` ${named.replace(/\/\/[^/]*@/, "//")}`;
    fail(
      `The npm registry${registry} cannot be reached (${code}): check the network and the proxy, or name a mirror with \`npm config set registry URL\`, then try again.`,
    );
  }
  process.stderr.write(output);
  fail(
    `\`npm ci\` failed${result.error ? ` (${result.error.message})` : ""}: mend what it says above, then try again.`,
  );
}

/** The Node that everything runs on comes as a dependency, through an install script. */
function checkOwnNode() {
  if (spawnSync(ownNode, ["--version"], { stdio: "ignore" }).status === 0) return;
  fail(
    "node_modules holds no Node 24 that runs here: its install script was not run. Delete node_modules, allow install scripts (`npm config delete ignore-scripts`), and try again.",
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
