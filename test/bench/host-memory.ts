import { startNpmRegistry, stdioFixtures } from "../support/npm-registry.ts";
import { processEntry } from "../support/process-tree.ts";
import { residentMiB } from "../support/resident-memory.ts";
import { callRequest, resultOf } from "../support/run-request.ts";
import { type StartedHost, startHost } from "../support/start-host.ts";

export interface HostMemory {
  readonly servers: number;
  /** Of the host's own process, MiB: with its first server, with all of them, and after calls to all. */
  readonly first: number;
  readonly all: number;
  readonly afterCalls: number;
  readonly calls: number;
}

const callsAServer = 20;

/** The host's own memory with that many servers that stay warm; theirs is their own. */
export async function measureHostMemory(servers: number): Promise<HostMemory> {
  const registry = await startNpmRegistry([stdioFixtures()]);
  const host = await startHost({
    environment: {
      GANGWAY_HOST_NPM_REGISTRY: registry.url,
      GANGWAY_HOST_MAX_PROCESSES: String(servers),
    },
  });
  try {
    await callServer(host, 0);
    const first = ownMiB(host);
    for (let server = 1; server < servers; server += 1) await callServer(host, server);
    const all = ownMiB(host);
    for (let call = 0; call < callsAServer; call += 1)
      await Promise.all(Array.from({ length: servers }, (_, server) => callServer(host, server)));
    const calls = callsAServer * servers;
    return { servers, first, all, afterCalls: ownMiB(host), calls };
  } finally {
    await host.dispose();
    await registry.close();
  }
}

async function callServer(host: StartedHost, server: number): Promise<void> {
  const request = callRequest("echo", "echo", { n: server }, { pool_key: `server-${server}` });
  resultOf(await host.run(request));
}

function ownMiB({ pid }: StartedHost): number {
  const own = processEntry(pid);
  return own === null ? Number.NaN : residentMiB([own]);
}
