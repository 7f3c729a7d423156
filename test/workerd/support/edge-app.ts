import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { createApp } from "../../../functions/edge/app.ts";
import type { Deps } from "../../../functions/edge/context.ts";
import { createListCache } from "../../../functions/edge/operation/list-cache.ts";
import { envProvider } from "../../../functions/edge/secrets/env-provider.ts";
import { callLimits } from "../../../functions/edge/limits/budget-namespace.ts";
import { type Env, readSettings, revocationsOf } from "../../../functions/edge/settings.ts";
import { createEraCache } from "../../../functions/edge/upstream/era-cache.ts";
import { makeApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import { scopes as allScopes, type Scope } from "../../../shared/api/scopes.ts";

export interface EdgeOptions {
  readonly mode?: "production" | "development";
  readonly scopes?: readonly Scope[];
  readonly deploymentServers?: readonly Record<string, unknown>[];
  readonly tenantServers?: readonly Record<string, unknown>[];
  readonly env?: Env;
  readonly now?: number;
  /** In place of `now`, where time is to pass. */
  readonly clock?: () => number;
  readonly expires?: string;
  readonly corsOrigins?: readonly string[];
  /** Further fields of the tenant, of its key and of the deployment. */
  readonly tenant?: Readonly<Record<string, unknown>>;
  readonly keyFields?: Readonly<Record<string, unknown>>;
  readonly deployment?: Readonly<Record<string, unknown>>;
  readonly deps?: Partial<Deps>;
}

export interface TestEdge {
  readonly key: string;
  /** Sends a request with the key, unless the init has an `authorization` header of its own. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON with the key and answers status and body. */
  post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** The real app in this runtime, with one tenant `acme` and one key. */
export async function testEdge(options: EdgeOptions = {}): Promise<TestEdge> {
  const key = await makeApiKey("test", "k7f3");
  const clock = options.clock ?? (() => options.now ?? Date.now());
  const settings = readSettings(options.env ?? {}, await deploymentOf(options, key), clock);
  const app = createApp({
    settings,
    fetch: (input, init) => fetch(input, init),
    clock,
    secrets: envProvider(settings.secrets),
    eras: createEraCache(clock),
    lists: createListCache(clock),
    limits: callLimits(settings, clock),
    revocations: revocationsOf(() => options.env?.["GANGWAY_REVOKED"]),
    audit: () => undefined,
    ...options.deps,
  });
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${key}`);
    const context = createExecutionContext();
    const url = new URL(path, "http://127.0.0.1:8787");
    const response = await app.fetch(new Request(url, { ...init, headers }), {}, context);
    await waitOnExecutionContext(context);
    return response;
  }
  return {
    key,
    request,
    async post(path, body) {
      const response = await request(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

async function deploymentOf(options: EdgeOptions, key: string): Promise<unknown> {
  return {
    mode: options.mode ?? "production",
    version: "1.0",
    mcp_servers: options.deploymentServers ?? [],
    tenants: [
      {
        id: "acme",
        keys: [
          {
            id: "k7f3",
            sha256: await sha256Hex(key),
            scopes: options.scopes ?? allScopes,
            ...(options.expires === undefined ? {} : { expires: options.expires }),
            ...options.keyFields,
          },
        ],
        mcp_servers: options.tenantServers ?? [],
        ...options.tenant,
      },
    ],
    cors: { origins: options.corsOrigins ?? [] },
    hosts: {},
    ...options.deployment,
  };
}
