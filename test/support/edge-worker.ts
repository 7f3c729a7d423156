import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";
import { workerConfig } from "../../infra/start/worker-config.ts";
import { makeApiKey, sha256Hex } from "../../shared/api/api-key.ts";
import { scopes } from "../../shared/api/scopes.ts";

export interface EdgeAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly elapsedMs: number;
}

export interface EdgeWorker {
  /** Posts JSON with the key of a tenant that may do everything. */
  readonly post: (path: string, body: unknown, signal?: AbortSignal) => Promise<EdgeAnswer>;
  readonly close: () => Promise<void>;
}

/** The whole edge in workerd, in development mode, without any server of its own. */
export async function startEdgeWorker(): Promise<EdgeWorker> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-edge-"));
  const key = await makeApiKey("test", "k7f3");
  const deploymentFile = join(folder, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(await deploymentOf(key)));
  const configPath = join(folder, "wrangler.json");
  const toml = new URL("../../wrangler.toml", import.meta.url).pathname;
  await writeFile(configPath, workerConfig(toml, { deploymentFile, vars: {} }));
  // Wrangler's test harness would send the Worker's own requests through Node's fetch.
  const worker = await unstable_startWorker({
    config: configPath,
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "none",
      persist: false,
      watch: false,
    },
  });
  const url = await worker.url;
  return {
    async post(path, body, signal) {
      const startedAt = performance.now();
      const response = await fetch(new URL(path, url), {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-request-id": randomUUID(),
        },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body: answer, elapsedMs: performance.now() - startedAt };
    },
    async close() {
      await worker.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function deploymentOf(key: string): Promise<unknown> {
  const keys = [{ id: "k7f3", sha256: await sha256Hex(key), scopes }];
  return {
    mode: "development",
    version: "1.0",
    mcp_servers: [],
    tenants: [{ id: "acme", keys, mcp_servers: [] }],
    cors: { origins: [] },
    hosts: {},
  };
}
