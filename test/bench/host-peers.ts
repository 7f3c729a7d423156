import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inherited } from "../../infra/start/inherited-environment.ts";
import { everythingProgram, freePort } from "../support/everything-http.ts";
import { until } from "../support/host-processes.ts";
import { descendants } from "../support/process-tree.ts";

/** Where what is compared with, and no dependency of this project, is installed at first use. */
export const cacheFolder = join(tmpdir(), "gangway-bench-cache");
const bridges = { "mcp-proxy": "6.7.19", supergateway: "4.0.0" } as const;

/** A bridge from streamable HTTP to the reference server over stdio. */
export interface Bridge {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

/** Installs packages of exact versions into the cache folder, and says so. */
export async function installOnce(packages: Readonly<Record<string, string>>): Promise<string> {
  const specs = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const folder = join(cacheFolder, specs.join("+").replaceAll(/[^\w.@+-]/g, "-"));
  if (existsSync(join(folder, "package-lock.json"))) return folder;
  process.stderr.write(`installs ${specs.join(" and ")} into ${folder}\n`);
  await mkdir(folder, { recursive: true });
  const options = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
  await promisify(execFile)("npm", ["install", ...options, ...specs], { env: inherited() });
  return folder;
}

export async function startMcpProxy(): Promise<Bridge> {
  const folder = await installOnce(bridges);
  const port = await freePort();
  const program = join(folder, "node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs");
  const options = ["--host", "127.0.0.1", "--port", String(port), "--server", "stream"];
  const args = [program, ...options, "--", process.execPath, everythingProgram];
  return startBridge(`mcp-proxy ${bridges["mcp-proxy"]}`, port, args);
}

export async function startSupergateway(): Promise<Bridge> {
  const folder = await installOnce(bridges);
  const port = await freePort();
  const program = join(folder, "node_modules/supergateway/dist/index.js");
  const server = `${process.execPath} ${everythingProgram}`;
  const options = ["--outputTransport", "streamableHttp", "--stateful", "--logLevel", "none"];
  const args = [program, "--stdio", server, "--port", String(port), ...options];
  return startBridge(`supergateway ${bridges.supergateway}`, port, [loopbackOnly, ...args]);
}

/** For a program that has no option for the address that it listens on. */
const loopbackOnly = `--import=data:text/javascript,${encodeURIComponent(
  `import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port, "127.0.0.1", ...rest);
};`,
)}`;

async function startBridge(name: string, port: number, args: string[]): Promise<Bridge> {
  const child = spawn(process.execPath, args, {
    env: inherited(),
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const pid = child.pid ?? 0;
  await until(`${name} listens`, () => accepts(port), 20_000);
  return {
    name,
    url: `http://127.0.0.1:${port}/mcp`,
    pid,
    close: async () => {
      for (const one of descendants(pid)) process.kill(one.pid, "SIGKILL");
      await exited;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}
