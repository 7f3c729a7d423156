import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { inherited } from "../../infra/start/inherited-environment.ts";
import { root } from "./source-files.ts";

const require = createRequire(import.meta.url);
const readyWithinMs = 20_000;

/** Of wrangler.toml; a test holds that the bundle's bindings are these. */
const budgets = { binding: "GANGWAY_BUDGETS", className: "TenantBudget" };

/**
 * The edge in the runtime itself, bundled as for a deployment. Wrangler's own proxies stand
 * before a Worker that it runs, and hide from it that a client has gone.
 */
export async function startBareEdge(
  folder: string,
  vars: Readonly<Record<string, string>>,
): Promise<{ url: string; close: () => Promise<void> }> {
  await bundle(folder);
  await writeFile(join(folder, "edge.capnp"), runtimeConfig(vars));
  const workerd = join(require.resolve("workerd/package.json"), "../bin/workerd");
  const args = [
    "serve",
    "edge.capnp",
    "--experimental",
    "--control-fd=3",
    "--socket-addr=http=127.0.0.1:0",
  ];
  const child = spawn(workerd, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    return { url: `http://127.0.0.1:${await listeningPort(child)}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bundle(folder: string): Promise<void> {
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "deploy", "--dry-run", "-c", "wrangler.json", "--outdir", "bundle"];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...inherited(), CI: "true", WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "error" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new TypeError(`the bundle was not made (exit code ${code})`);
}

function runtimeConfig(vars: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(vars).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  const { binding, className } = budgets;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "edge")],
);
const edge :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "bundle/worker.js")],
  compatibilityDate = "2026-10-27",
  compatibilityFlags = ["enable_request_signal"],
  bindings = [${[...bindings, `(name = "${binding}", durableObjectNamespace = "${className}")`].join(", ")}],
  durableObjectNamespaces = [(className = "${className}", uniqueKey = "test", enableSql = true)],
  durableObjectStorage = (inMemory = void),
);
`;
}

/** The runtime writes a line of JSON for each socket that it listens on. */
async function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3];
  if (control === null || control === undefined || !("readable" in control)) {
    throw new TypeError("the runtime has no control pipe");
  }
  const lines = createInterface({ input: control });
  const signal = AbortSignal.timeout(readyWithinMs);
  for (;;) {
    const [line] = (await once(lines, "line", { signal })) as [string];
    const told = JSON.parse(line) as { event: string; port?: number };
    if (told.event === "listen" && told.port !== undefined) return told.port;
  }
}
