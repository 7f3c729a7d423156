import { inherited } from "../../infra/start/inherited-environment.ts";
import { makeApiKey, sha256Hex } from "../../shared/api/api-key.ts";
import { type StartedHost, startHost } from "../support/start-host.ts";
import { startWorkerdEdge, type WorkerdEdge } from "./workerd-edge.ts";

/** Edge and host without any development tool between them. */
export interface Deployed {
  readonly url: string;
  readonly key: string;
  readonly cpuMs: WorkerdEdge["cpuMs"];
  readonly host: StartedHost;
  /** Of edge and host. */
  readonly pids: readonly number[];
  readonly close: () => Promise<void>;
}

/** Starts both with the given servers of one tenant, in development mode for loopback addresses. */
export async function startDeployed(
  servers: readonly Record<string, unknown>[],
): Promise<Deployed> {
  const key = await makeApiKey("bench", "k7f3");
  const entry = { id: "k7f3", sha256: await sha256Hex(key), scopes: ["call", "discover"] };
  const host = await startHost({
    environment: { ...inherited(), GANGWAY_HOST_DEVELOPMENT: "true" },
  });
  const edge = await startWorkerdEdge(
    {
      mode: "development",
      version: "1.0",
      tenants: [{ id: "acme", keys: [entry], mcp_servers: servers }],
    },
    { GANGWAY_HOST_URL: host.url, GANGWAY_TICKET_KEY: JSON.stringify(host.ticketKey) },
  );
  return {
    url: edge.url,
    key,
    cpuMs: edge.cpuMs,
    host,
    pids: [edge.pid, host.pid],
    close: async () => {
      await edge.close();
      await host.dispose();
    },
  };
}
