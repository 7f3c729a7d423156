import { sha256Hex } from "../../../shared/api/api-key.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import { measureText } from "../../../shared/content/measure-text.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { packageKey, parseLaunch } from "../../../shared/policy/launch.ts";
import type { Caller } from "../context.ts";
import type { AuditLine } from "./audit-line.ts";

/** An answer that was given, as far as the audit looks at it. */
export interface AuditedAnswer {
  readonly status?: string | undefined;
  readonly metadata: {
    readonly era: "legacy" | "modern" | null;
    readonly upstream_requests: number;
    readonly masked: number;
    readonly warm: boolean;
    readonly timings_ms: Readonly<Record<string, number>>;
  };
}

/** One operation that has ended. */
export interface AuditedCall {
  readonly requestId: string;
  readonly caller: Pick<Caller, "tenant" | "keyId">;
  readonly subject: string;
  readonly method: string;
  readonly tool: string | null;
  /** Null where the request named none that is in scope. */
  readonly server: {
    readonly name: string;
    readonly source: AuditLine["source"];
    /** References unexpanded; null where the entry has errors. */
    readonly config: ServerConfig | null;
  } | null;
  /** Names of the stored secrets that were used. */
  readonly secrets: readonly string[];
  readonly outcome: AuditedAnswer | GatewayError;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const hashDigits = 16;
/** A name may be as long as a caller makes it. */
const longestName = 200;

/** The audit line of an operation. */
export async function auditCall(call: AuditedCall): Promise<AuditLine> {
  const { caller, server, outcome } = call;
  const ms = call.endedAt - call.startedAt;
  return {
    event: "call",
    ts: new Date(call.startedAt).toISOString(),
    request_id: call.requestId,
    tenant: caller.tenant,
    key_id: caller.keyId,
    subject_hash: await subjectHash(caller.tenant, call.subject),
    source: server?.source ?? null,
    config_hash: server?.config == null ? null : await configHash(server.config),
    server: server?.name.slice(0, longestName) ?? null,
    destination: server?.config == null ? null : destinationOf(server.config),
    method: call.method,
    tool: call.tool?.slice(0, longestName) ?? null,
    secrets: [...call.secrets].sort(),
    ...endOf(outcome),
    bytes: outcome instanceof GatewayError ? 0 : byteLength(outcome),
    ms: { ...timings(outcome), total: ms },
    container_ms: server?.config?.transport === "stdio" && contacted(outcome) ? ms : 0,
  };
}

type End = Pick<
  AuditLine,
  "status" | "error_code" | "executed" | "era" | "upstream_requests" | "masked" | "warm"
>;

function endOf(outcome: AuditedAnswer | GatewayError): End {
  if (outcome instanceof GatewayError) {
    const { code, executed } = outcome;
    const nothing = { era: null, upstream_requests: 0, masked: 0, warm: false };
    return { status: "error", error_code: code, executed, ...nothing };
  }
  const { era, upstream_requests, masked, warm } = outcome.metadata;
  const status =
    outcome.status === "tool_error" || outcome.status === "input_required" ? outcome.status : "ok";
  return { status, error_code: null, executed: "yes", era, upstream_requests, masked, warm };
}

function timings(outcome: AuditedAnswer | GatewayError): Readonly<Record<string, number>> {
  return outcome instanceof GatewayError ? {} : outcome.metadata.timings_ms;
}

/** Refusals before any contact cost no container time. */
function contacted(outcome: AuditedAnswer | GatewayError): boolean {
  return !(outcome instanceof GatewayError) || outcome.executed !== "no";
}

/** Origin or package alone: paths and arguments may hold credentials. */
function destinationOf(config: ServerConfig): string | null {
  if (config.transport !== "stdio") {
    return URL.canParse(config.url ?? "") ? new URL(config.url ?? "").origin : null;
  }
  const launch = parseLaunch(config.command ?? "npx", config.args);
  if (!launch.ok) return null;
  const { version } = launch.value;
  return version === null ? packageKey(launch.value) : `${packageKey(launch.value)}@${version}`;
}

const subjectHashes = new Map<string, string>();
const maxSubjects = 1_000;

async function subjectHash(tenant: string, subject: string): Promise<string> {
  const key = JSON.stringify([tenant, subject]);
  const hash = subjectHashes.get(key) ?? (await shortHash([tenant, subject]));
  if (subjectHashes.size >= maxSubjects) subjectHashes.clear();
  subjectHashes.set(key, hash);
  return hash;
}

/** By config: those of the deployment live as long as the isolate. */
const configHashes = new WeakMap<ServerConfig, string>();

async function configHash(config: ServerConfig): Promise<string> {
  const hash = configHashes.get(config) ?? (await shortHash(config));
  configHashes.set(config, hash);
  return hash;
}

async function shortHash(value: unknown): Promise<string> {
  return (await sha256Hex(JSON.stringify(value))).slice(0, hashDigits);
}

function byteLength(value: unknown): number {
  return measureText(JSON.stringify(value)).utf8Bytes;
}
