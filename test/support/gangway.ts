import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker as startWorker } from "wrangler";
import { inherited } from "../../infra/start/inherited-environment.ts";
import { workerConfig } from "../../infra/start/worker-config.ts";
import { makeApiKey, sha256Hex } from "../../shared/api/api-key.ts";
import { scopes as allScopes, type Scope } from "../../shared/api/scopes.ts";
import { startBareEdge } from "./bare-edge.ts";
import { root } from "./source-files.ts";
import { type StartedHost, startHost } from "./start-host.ts";

export interface GangwayOptions {
  /** Default development, where loopback servers and submitted launches are allowed. */
  readonly mode?: "production" | "development";
  /** Servers of the tenant `acme`, fields as in a config. */
  readonly servers?: readonly Record<string, unknown>[];
  /** Further fields of the tenant: policy, send_to, approved_launches, limits. */
  readonly tenant?: Readonly<Record<string, unknown>>;
  /** Further tenants with the same servers, each with a key of its own. */
  readonly moreTenants?: readonly string[];
  /** What the key may do; default everything. */
  readonly scopes?: readonly Scope[];
  /** `GW_SECRET_*` and other variables of the Worker. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Where the host installs packages from; default npm's own registry. */
  readonly registry?: string;
  /** Further variables of the host. */
  readonly hostEnvironment?: Readonly<Record<string, string>>;
  /** False: no host runs, and the edge knows of none. */
  readonly host?: boolean;
  /** The edge in the runtime itself: it sees at once when a client breaks off. */
  readonly bare?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** The whole product on free loopback ports: the real Worker in workerd and the real host. */
export interface Gangway {
  /** Origin of the edge. */
  readonly url: string;
  readonly key: string;
  /** The key of each tenant. */
  readonly keys: ReadonlyMap<string, string>;
  /** Posts JSON with the key. */
  readonly post: (path: string, body: unknown, signal?: AbortSignal) => Promise<Answer>;
  /** @throws TypeError when it was started without one. */
  readonly host: StartedHost;
  /** What the edge has logged. @throws TypeError where it is not `bare`. */
  readonly edgeLog: () => string;
  readonly close: () => Promise<void>;
}

/** Starts edge and host for one test file; ends both in `close`. */
export async function startGangway(options: GangwayOptions = {}): Promise<Gangway> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-test-"));
  const host = options.host === false ? null : await startTestHost(options);
  const key = await makeApiKey("test", "k7f3");
  const keys = new Map([["acme", key]]);
  for (const [index, tenant] of (options.moreTenants ?? []).entries()) {
    keys.set(tenant, await makeApiKey("test", `more${index}`));
  }
  try {
    const vars = { ...(host === null ? {} : hostVars(host)), ...options.vars };
    const configPath = await writeConfig(folder, await deploymentOf(options, keys), vars);
    const edge = await (options.bare === true ? startBareEdge(folder) : startTestEdge(configPath));
    return {
      url: edge.url,
      key,
      keys,
      post: (path, body, signal) => post(edge.url, key, { path, body, signal }),
      get host() {
        if (host === null) throw new TypeError("this Gangway was started without a host");
        return host;
      },
      edgeLog: () => {
        if ("log" in edge) return edge.log();
        throw new TypeError("the log of this Gangway's edge is not kept");
      },
      close: async () => {
        await Promise.all([edge.close(), host?.dispose()]);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await host?.dispose();
    throw error;
  }
}

function startTestHost({ registry, hostEnvironment }: GangwayOptions): Promise<StartedHost> {
  return startHost({
    environment: {
      ...inherited(),
      GANGWAY_HOST_DEVELOPMENT: "true",
      ...(registry === undefined ? {} : { GANGWAY_HOST_NPM_REGISTRY: registry }),
      ...hostEnvironment,
    },
  });
}

function hostVars(host: StartedHost): Record<string, string> {
  return { GANGWAY_HOST_URL: host.url, GANGWAY_TICKET_KEY: JSON.stringify(host.ticketKey) };
}

async function writeConfig(
  folder: string,
  deployment: unknown,
  vars: Readonly<Record<string, string>>,
): Promise<string> {
  const deploymentFile = join(folder, "deployment.json");
  const configPath = join(folder, "wrangler.json");
  await writeFile(deploymentFile, JSON.stringify(deployment));
  await writeFile(configPath, workerConfig(join(root, "wrangler.toml"), { deploymentFile, vars }));
  return configPath;
}

async function startTestEdge(config: string): Promise<{ url: string; close: () => Promise<void> }> {
  // Read by the runtime when it starts: no look-up of this machine's place on the network.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  process.env["WRANGLER_SEND_METRICS"] = "false";
  // Not wrangler's test harness: that one sends a Worker's requests through Node's fetch, which
  // turns lost connections into HTTP 500 and does not end requests that are aborted.
  const server = { hostname: "127.0.0.1", port: 0 };
  const dev = { server, logLevel: "none", watch: false, persist: false, inspector: false } as const;
  const started = await startWorker({ config, dev });
  return { url: (await started.url).origin, close: () => started.dispose() };
}

export async function deploymentOf(
  options: GangwayOptions,
  keys: ReadonlyMap<string, string>,
): Promise<unknown> {
  const scopes = options.scopes ?? allScopes;
  const tenants = [...keys].map(async ([id, key]) => ({
    id,
    keys: [{ id: key.split("_")[2], sha256: await sha256Hex(key), scopes }],
    mcp_servers: options.servers ?? [],
    ...options.tenant,
  }));
  return {
    mode: options.mode ?? "development",
    version: "1.0",
    tenants: await Promise.all(tenants),
  };
}

export async function post(
  url: string,
  key: string,
  request: { path: string; body: unknown; signal: AbortSignal | undefined },
): Promise<Answer> {
  const response = await fetch(`${url}${request.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(request.body),
    signal: request.signal ?? null,
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
