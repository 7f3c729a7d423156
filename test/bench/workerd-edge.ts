import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { workerConfig } from "../../infra/start/worker-config.ts";
import { root } from "../support/source-files.ts";

export interface WorkerdEdge {
  readonly url: string;
  readonly pid: number;
  /** Processor time that the runtime has used, milliseconds. */
  readonly cpuMs: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/**
 * The edge as it is deployed, bundled and minified, in workerd alone: without the development
 * proxy that wrangler puts in front of it.
 */
export async function startWorkerdEdge(
  deployment: unknown,
  vars: Readonly<Record<string, string>>,
): Promise<WorkerdEdge> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-workerd-"));
  const deploymentFile = join(folder, "deployment.json");
  const configPath = join(folder, "wrangler.json");
  await writeFile(deploymentFile, JSON.stringify(deployment));
  const config = workerConfig(join(root, "wrangler.toml"), { deploymentFile, vars });
  await writeFile(configPath, config);
  await bundle(configPath, folder);
  await writeFile(join(folder, "config.capnp"), capnp(JSON.parse(config), vars));
  const child = spawn(
    join(root, "node_modules/workerd/bin/workerd"),
    ["serve", "config.capnp", "--control-fd=3"],
    { cwd: folder, stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const exited = once(child, "exit");
  const port = await listeningPort(child.stdio[3] as Readable);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMs(child.pid ?? 0),
    close: async () => {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function bundle(configPath: string, outDir: string): Promise<void> {
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const args = ["deploy", "--dry-run", "--minify", `--config=${configPath}`, `--outdir=${outDir}`];
  const env = { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" };
  await promisify(execFile)(process.execPath, [wrangler, ...args], { env });
}

function capnp(
  config: { compatibility_date: string; compatibility_flags: readonly string[] },
  vars: Readonly<Record<string, string>>,
): string {
  const text = (value: string): string => JSON.stringify(value);
  const flags = config.compatibility_flags.map(text).join(", ");
  const bindings = Object.entries(vars).map(
    ([name, value]) => `(name = ${text(name)}, text = ${text(value)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "edge")],
);
const edge :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = ${text(config.compatibility_date)},
  compatibilityFlags = [${flags}],
  bindings = [${bindings.join(", ")}],
);
`;
}

/** The runtime tells each socket's port as a line of JSON. */
async function listeningPort(control: Readable): Promise<number> {
  for await (const line of createInterface({ input: control })) {
    const event: unknown = JSON.parse(line);
    if (typeof event === "object" && event !== null && "port" in event) return Number(event.port);
  }
  throw new TypeError("workerd ended before it listened");
}

async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  // utime and stime, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
