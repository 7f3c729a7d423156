import { createApp } from "../../../functions/edge/app.ts";
import type { Deps } from "../../../functions/edge/context.ts";
import { callLimits } from "../../../functions/edge/limits/budget-namespace.ts";
import { guard } from "../../../functions/edge/operation/guard.ts";
import { createListCache } from "../../../functions/edge/operation/list-cache.ts";
import type { OperationContext } from "../../../functions/edge/operation/operation-context.ts";
import type { ResolvedServer } from "../../../functions/edge/operation/resolve.ts";
import { envProvider } from "../../../functions/edge/secrets/env-provider.ts";
import { readSettings, revocationsOf } from "../../../functions/edge/settings.ts";
import { guardedFetch } from "../../../functions/edge/upstream/guarded-fetch.ts";
import { createEraCache } from "../../../functions/edge/upstream/era-cache.ts";
import { HeaderSlots } from "../../../functions/edge/upstream/header-slots.ts";
import { makeApiKey, sha256Hex } from "../../../shared/api/api-key.ts";
import { scopes as allScopes } from "../../../shared/api/scopes.ts";
import { serverConfigSchema } from "../../../shared/config/server-config.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { createRedactor } from "../../../shared/secrets/redact.ts";

/** What an attacker wants: it is seen in no request that leaves and in no answer. */
export const prize = "the-stored-prize-value";

/** The edge of a production deployment, in this process; every request that leaves is kept, and refused. */
export interface AttackedEdge {
  readonly key: string;
  /** Requests that have left since the last look, and forgets them. */
  readonly left: () => readonly string[];
  readonly send: (path: string, init: RequestInit) => Promise<{ status: number; text: string }>;
  readonly post: (path: string, body: unknown) => Promise<{ status: number; text: string }>;
  /** The code by which the operation path refuses a server that the validator never saw. */
  readonly guardCode: (fields: object, source?: "tenant" | "submitted") => string;
  /** What the edge would ask the host to start for a server that the operator wrote. */
  readonly launchOf: (fields: object) => Launch;
  /** The code by which a request to a URL is refused that a server of the operator names later. */
  readonly codeOfLearned: (url: string) => Promise<string>;
}

const ticketKey = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};

const hostUrl = "https://host.internal.example.com";

/** Globally known hosts and packages are listed, so that what refuses is the rule that is meant. */
const tenant = {
  send_to: { PRIZE: ["https://mcp.example.com/mcp"] },
  policy: {
    hosts: ["mcp.example.com", "free.example.com"],
    packages: ["npm:good", "pypi:good", "docker:good/*"],
    pinning: "warn",
    volume_roots: ["/Users", "/home", "/path"],
  },
};

export interface EdgeChanges {
  readonly keyFields?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly deployment?: object;
  readonly tenant?: object;
  readonly clock?: () => number;
}

export async function attackedEdge(changes: EdgeChanges = {}): Promise<AttackedEdge> {
  const key = await makeApiKey("test", "k7f3");
  const clock = changes.clock ?? Date.now;
  let left: string[] = [];
  const hash = await sha256Hex(key);
  const keys = [{ id: "k7f3", sha256: hash, scopes: allScopes, ...changes.keyFields }];
  const env = {
    GANGWAY_TICKET_KEY: JSON.stringify(ticketKey),
    GW_SECRET_ACME__PRIZE: prize,
    GW_SECRET_GLOBEX__PRIZE: `globex-${prize}`,
    GW_SECRET_DEPLOYMENT__PRIZE: `deployment-${prize}`,
    ...changes.env,
  };
  const deployment = {
    mode: "production",
    version: "1.0",
    tenants: [{ id: "acme", keys, ...tenant, ...changes.tenant }, { id: "globex" }],
    hosts: { npx: hostUrl, uvx: hostUrl, docker: hostUrl },
    ...changes.deployment,
  };
  const settings = readSettings(env, deployment, clock);
  const deps: Deps = {
    settings,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      left.push(`${url} ${JSON.stringify([...new Headers(init?.headers)])}`);
      return new Response(null, { status: 500 });
    },
    clock,
    secrets: envProvider(settings.secrets),
    eras: createEraCache(clock),
    lists: createListCache(clock),
    limits: callLimits(settings, clock),
    revocations: revocationsOf(() => changes.env?.["GANGWAY_REVOKED"]),
    audit: () => undefined,
  };
  const app = createApp(deps);
  const send: AttackedEdge["send"] = async (path, init) => {
    const waiting: Promise<unknown>[] = [];
    const execution = {
      waitUntil: (work: Promise<unknown>) => void waiting.push(work),
      passThroughOnException: () => undefined,
      props: {},
    };
    const request = new Request(new URL(path, "https://gateway.example.net"), init);
    const response = await app.fetch(request, {}, execution);
    const text = await response.text();
    await Promise.all(waiting);
    return { status: response.status, text };
  };
  return {
    key,
    left: () => {
      const seen = left;
      left = [];
      return seen;
    },
    send,
    post: (path, body) =>
      send(path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    guardCode: (fields, source = "submitted") =>
      codeThrown(() => guard(resolved(fields, source), contextOf(deps))),
    launchOf: (fields) => {
      const target = guard(resolved(fields, "tenant"), contextOf(deps));
      if (target.kind !== "launch") throw new TypeError("no launch");
      return target.launch;
    },
    codeOfLearned: async (url) => {
      const honest = { transport: "http", url: "https://mcp.example.com/mcp" };
      const target = guard(resolved(honest, "tenant"), contextOf(deps));
      if (target.kind !== "endpoint") throw new TypeError("no endpoint");
      return codeRejected(guardedFetch(target.guard)(url));
    },
  };
}

/** A server as the stages before the guard would hand it on, had they let everything pass. */
function resolved(fields: object, source: "tenant" | "submitted"): ResolvedServer {
  const config = serverConfigSchema.parse({ name: "a", type: "mcp", ...fields });
  const server = { name: "a", source, config, disabled: false, findings: [], envFiles: {} };
  const stored = { namespace: "acme", values: new Map([["PRIZE", prize]]) };
  const redactor = createRedactor(stored.values);
  return { server, config, envFile: {}, redactor, stored, warnings: [] };
}

function contextOf(deps: Deps): OperationContext {
  return {
    requestId: "r1",
    caller: {
      tenant: "acme",
      keyId: "k7f3",
      subject: null,
      scopes: new Set(),
      servers: null,
      tools: null,
    },
    subject: "k7f3",
    deps,
    outbound: { ownHosts: ["gateway.example.net"], hops: 0, slots: new HeaderSlots() },
    clock: deps.clock,
    signal: new AbortController().signal,
    logLevel: null,
    tell: null,
    contacting: () => undefined,
    afterAnswer: () => undefined,
    timings: new Map(),
  };
}

/** The code of the error that is thrown, or `passed`. */
export function codeThrown(work: () => unknown): string {
  try {
    work();
    return "passed";
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

/** The same of a promise. */
async function codeRejected(work: Promise<unknown>): Promise<string> {
  const settled = await Promise.allSettled([work]);
  return codeThrown(() => {
    for (const one of settled) if (one.status === "rejected") throw one.reason;
  });
}

interface Finding {
  readonly id: string;
  readonly severity: "error" | "warning" | "info";
}

/** What the validator finds in one config, the tenant's policy counted. */
export async function findingsOf(
  edge: AttackedEdge,
  file: { readonly text: string; readonly path?: string },
): Promise<readonly Finding[]> {
  const body = { files: [{ path: "agent.json", ...file }], options: { policy: true } };
  const { text } = await edge.post("/v1/validate", body);
  const { files } = JSON.parse(text) as { files: { findings: Finding[] }[] };
  return files.flatMap(({ findings }) => findings);
}

/** Rules by which the validator refuses a server, whatever the tenant's policy. */
export async function rulesThatRefuse(edge: AttackedEdge, server: object): Promise<string[]> {
  const findings = await findingsOf(edge, { text: JSON.stringify({ tools: [server] }) });
  const errors = findings.filter(({ id, severity }) => severity === "error" && !ofPolicy.has(id));
  return [...new Set(errors.map(({ id }) => id))];
}

const ofPolicy: ReadonlySet<string> = new Set(["GW218", "GW219", "GW311", "GW418"]);

/** The code of an answer that is an error; null of one that is none. */
export function codeOf(answer: { readonly text: string }): string | null {
  const body = JSON.parse(answer.text) as { error?: { code?: string } };
  return body.error?.code ?? null;
}
