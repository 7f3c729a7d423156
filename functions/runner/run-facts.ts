import * as z from "zod";
import { sha256Hex } from "../../shared/api/api-key.ts";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import { listMembers } from "../../shared/mcp/operation.ts";
import { isPinned } from "../../shared/run-contract/is-pinned.ts";
import type { Instance } from "./instance-name.ts";

/** What the runner has to know of a run; the host reads the rest. */
export interface RunFacts extends Instance {
  /** How long the container stays up after the run, seconds; a session may need it for longer. */
  readonly sleepAfterS: number;
  /** The session that the run is of; null = none. */
  readonly session: SessionFacts | null;
  /** Where the run's list is kept; null for what is no list, or one that may change by itself. */
  readonly listKey: string | null;
  /** The list is asked of the server even where it is kept. */
  readonly refresh: boolean;
}

export interface SessionFacts {
  /** Tells it from others, and is no use to anybody else. */
  readonly name: string;
  /** How long its process is kept after the run, seconds; null = the run ends it. */
  readonly keptS: number | null;
}

export const shortestSleepS = 10;
export const longestSleepS = 900;
const defaultSleepMs = 60_000;

const runSchema = z.looseObject({
  tenant: z.string().min(1),
  pool_key: z.string().min(1),
  source: z.string().optional(),
  refresh: z.boolean().optional(),
  protocol: z.string(),
  launch: z.looseObject({
    runner: z.enum(["npx", "uvx", "docker"]),
    version: z.string().nullable(),
  }),
  session: z.looseObject({ id: z.string(), idle_ms: z.number().optional() }).optional(),
  operation: z.looseObject({ method: z.string() }),
  client_capabilities: z.unknown().optional(),
  limits: z.looseObject({ idle_ms: z.number().optional() }),
});
type Run = z.infer<typeof runSchema>;

/**
 * Reads a run request as far as the runner goes by it.
 * @throws GatewayError REQUEST_INVALID, without anything of the body
 */
export async function readRunFacts(body: Uint8Array): Promise<RunFacts> {
  const read = runSchema.safeParse(parseJson(body));
  if (!read.success) {
    throw new GatewayError("REQUEST_INVALID", "The run request does not follow contract v1.");
  }
  return {
    tenant: read.data.tenant,
    submitted: read.data.source === "submitted",
    sleepAfterS: sleepAfter(read.data.limits.idle_ms),
    session: await sessionOf(read.data),
    listKey: await listKeyOf(read.data),
    refresh: read.data.refresh ?? false,
  };
}

async function sessionOf({ session, operation }: Run): Promise<SessionFacts | null> {
  if (session === undefined) return null;
  const isEnd = operation.method === "end-session";
  const keptS = isEnd ? null : sleepAfter(session.idle_ms);
  return { name: await sha256Hex(session.id), keptS };
}

function sleepAfter(idleMs: number = defaultSleepMs): number {
  return Math.min(longestSleepS, Math.max(shortestSleepS, Math.ceil(idleMs / 1000)));
}

/** All that a server's list may depend on; the pool key holds tenant and subject. */
async function listKeyOf(run: Run): Promise<string | null> {
  const isList = Object.hasOwn(listMembers, run.operation.method);
  if (!isList || run.session !== undefined || !isPinned(run.launch)) return null;
  const { pool_key, protocol, launch, operation, client_capabilities } = run;
  return sha256Hex(JSON.stringify([pool_key, protocol, launch, operation, client_capabilities]));
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    return undefined; // no run request either
  }
}
