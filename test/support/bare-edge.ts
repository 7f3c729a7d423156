import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { inherited } from "../../infra/start/inherited-environment.ts";
import { root } from "./source-files.ts";

const readyWithinMs = 20_000;

/** The part of wrangler's config that the runtime needs. */
interface WorkerConfig {
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
}

export interface BareEdge {
  readonly url: string;
  /** What the runtime has written so far, of the Worker and of its own. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/**
 * The edge in the runtime itself, bundled as for a deployment, by the wrangler.json in `folder`.
 * Wrangler's own proxies stand before a Worker that it runs, and hide from it that a client has
 * gone.
 */
export async function startBareEdge(folder: string): Promise<BareEdge> {
  await bundle(folder);
  const config = JSON.parse(await readFile(join(folder, "wrangler.json"), "utf8")) as WorkerConfig;
  await writeFile(join(folder, "edge.capnp"), runtimeConfig(config));
  const workerd = join(root, "node_modules/workerd/bin/workerd");
  const args = [
    "serve",
    "edge.capnp",
    "--experimental",
    "--control-fd=3",
    "--socket-addr=http=127.0.0.1:0",
  ];
  const child = spawn(workerd, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const log: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => log.push(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => log.push(text));
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    return {
      url: `http://127.0.0.1:${await listeningPort(child)}`,
      log: () => log.join(""),
      close,
    };
  } catch (error) {
    await close();
    throw new TypeError(`the runtime did not start: ${log.join("")}`, { cause: error });
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

function runtimeConfig(worker: WorkerConfig): string {
  const objects = worker.durable_objects.bindings;
  const bindings = [
    ...Object.entries(worker.vars).map(
      ([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`,
    ),
    ...objects.map(
      (object) =>
        `(name = ${quote(object.name)}, durableObjectNamespace = ${quote(object.class_name)})`,
    ),
  ];
  const namespaces = objects.map(
    ({ class_name }) =>
      `(className = ${quote(class_name)}, uniqueKey = ${quote(class_name)}, enableSql = true)`,
  );
  // Loopback servers are to be reached: without the flag that forbids it.
  const flags = worker.compatibility_flags.filter((flag) => !flag.endsWith("strictly_public"));
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
  compatibilityDate = ${quote(worker.compatibility_date)},
  compatibilityFlags = [${flags.map(quote).join(", ")}],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (inMemory = void),
);
`;
}

/** Cap'n Proto's string literals are JSON's, but for the escape of control characters. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/\\(?:u00([01].)|.)/g, (escape, code?: string) =>
    code === undefined ? escape : `\\x${code}`,
  );
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
