import * as z from "zod";
import { logLevels } from "../mcp/log-levels.ts";
import { operationSchema } from "../mcp/operation.ts";

/**
 * Contract v1 between the edge (or runner) and the host: one `POST /v1/run`, answered at once
 * with 200 and NDJSON events. Objects are loose: each side ignores what it does not know, so
 * that it gets on with the other's previous and next version. Durations are remaining
 * milliseconds, never clock times.
 */
export const contractVersion = 1;

const milliseconds = z.int().positive();

export const launchSchema = z.looseObject({
  runner: z.enum(["npx", "uvx", "docker"]),
  /** Package or image name without its version. */
  package: z.string().min(1),
  /** Exact version, tag or digest; null = what the registry calls latest. */
  version: z.string().min(1).nullable(),
  /** uvx: the extras of the package that are installed along. */
  extras: z.array(z.string()).optional(),
  /** A program that the package declares; null = the package's only (or namesake) program. */
  bin: z.string().min(1).nullable(),
  args: z.array(z.string()),
  /** The whole environment of the server that the config sets; of a container, what it forwards. */
  env: z.record(z.string(), z.string()),
  /** Merged over `env`; kept apart because these values are redacted wherever text leaves the host. */
  secret_env: z.record(z.string(), z.string()),
  /** Label of the stdio text encoding; see encoding.ts. */
  encoding: z.string().min(1),
  /** Reserved names of `env` and `secret_env` that the tenant's policy sets free. */
  env_opt_in: z.array(z.string()).optional(),
  /** Further values to redact: secrets that stand in `args`. */
  redact: z.array(z.string()).optional(),
  /** npx, uvx: what the tenant's policy says of installing; left out = no scripts, of any age. */
  install: z
    .looseObject({
      /** The scripts of packages run when they are installed. */
      allow_scripts: z.boolean().optional(),
      /** Versions that are younger are not installed. */
      min_release_age_ms: milliseconds.optional(),
    })
    .optional(),
  /** docker: folders that the container sees, absolute paths, judged again by the host's own roots. */
  volumes: z
    .array(z.looseObject({ source: z.string(), target: z.string(), read_only: z.boolean() }))
    .optional(),
});
export type Launch = z.infer<typeof launchSchema>;

const limitsSchema = z.looseObject({
  install_ms: milliseconds,
  handshake_ms: milliseconds,
  call_ms: milliseconds,
  /** Progress may extend `call_ms` up to this total. */
  progress_extends_to_ms: milliseconds,
  /** Largest JSON-RPC frame that the host reads from the server. */
  result_bytes: z.int().positive(),
  /** Longest that the process stays unused before it ends; the host may end it earlier. */
  idle_ms: milliseconds.optional(),
});

/** A session that outlives its runs: a process of its own, which no other run gets. */
const runSessionSchema = z.looseObject({
  /** Made by the edge, not to be guessed; each names one process and never a second one. */
  id: z.string().min(1),
  /** True: the process is started if it is not there. False: one that is not there is told. */
  start: z.boolean(),
  /** Longest that it stays unused before it ends; the host may end it earlier. */
  idle_ms: milliseconds,
});
export type RunSession = z.infer<typeof runSessionSchema>;

/**
 * Goes on with a call that a server of the legacy era has stopped to ask something. A host that
 * does not know it refuses the run, rather than making the call once more.
 */
const continueSchema = z.looseObject({
  method: z.literal("continue"),
  params: z.looseObject({
    /** The `requestState` of the result that had the questions. */
    state: z.string().min(1),
    /** The caller's answers, by the keys of the questions. */
    responses: z.record(z.string(), z.unknown()),
  }),
});

/** Ends the run's session, and with it its process; answered with `{ended}`, false = there was none. */
const endSessionSchema = z.looseObject({ method: z.literal("end-session") });

const runOperationSchema = z.discriminatedUnion("method", [
  ...operationSchema.options,
  continueSchema,
  endSessionSchema,
]);

/** Begins the `requestState` of a call that waits in its process. */
export const waitingStatePrefix = "gww1.";

export const runRequestSchema = z.looseObject({
  request_id: z.string().min(1),
  tenant: z.string().min(1),
  /** Opaque: runs with one key may share a warm process. Holds tenant, subject, server and launch. */
  pool_key: z.string().min(1),
  /** The server's name in the config, for messages. */
  server: z.string().min(1),
  /** Where the server was written: what a request brought runs apart from what the operator wrote. */
  source: z.enum(["deployment", "tenant", "submitted"]).optional(),
  /** A list is asked of the server itself, even where it was kept from an earlier run. */
  refresh: z.boolean().optional(),
  launch: launchSchema,
  /** `auto`, `legacy` or a pinned protocol revision. */
  protocol: z.enum(["auto", "legacy", "2026-07-28"]),
  log_level: z.enum(logLevels).nullable(),
  /** What the caller can answer when the server asks for input. */
  client_capabilities: z.record(z.string(), z.unknown()).optional(),
  /** Opaque: for whom processes are kept between runs; absent = the pool key. Holds tenant and subject. */
  owner: z.string().min(1).optional(),
  session: runSessionSchema.optional(),
  operation: runOperationSchema,
  limits: limitsSchema,
});
export type RunRequest = z.infer<typeof runRequestSchema>;

const warningSchema = z.looseObject({ code: z.string(), message: z.string() });

/** What the host tells of the MCP session that served a run. */
const sessionInfoSchema = z.looseObject({
  era: z.enum(["legacy", "modern"]),
  protocol_version: z.string(),
  /** The process was already running. */
  warm: z.boolean(),
  /** Of the session that goes on after the run; absent where none does. */
  id: z.string().optional(),
});

export const runEventSchema = z.discriminatedUnion("event", [
  z.looseObject({
    event: z.literal("accepted"),
    contract: z.int(),
    /** The host keeps sessions; one that does not say so would serve the run without. */
    sessions: z.boolean().optional(),
  }),
  z.looseObject({ event: z.literal("phase"), phase: z.string() }),
  /** The operation's bytes may have reached the server from here on. */
  z.looseObject({ event: z.literal("sent") }),
  z.looseObject({ event: z.literal("ping") }),
  z.looseObject({
    event: z.literal("progress"),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  z.looseObject({
    event: z.literal("log"),
    level: z.enum(logLevels),
    logger: z.string().optional(),
    data: z.unknown(),
  }),
  /** Any other notification of the server, `list_changed` above all. */
  z.looseObject({
    event: z.literal("notification"),
    method: z.string(),
    params: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    event: z.literal("result"),
    result: z.record(z.string(), z.unknown()),
    session: sessionInfoSchema,
    warnings: z.array(warningSchema),
    timings_ms: z.record(z.string(), z.number()),
    /** Events that were left out because there were too many, by their name. */
    dropped: z.record(z.string(), z.int().nonnegative()).optional(),
    /** A list that was kept from an earlier run; its server was not asked. */
    kept: z.boolean().optional(),
    /**
     * How long the process waits for the answers to the questions that are the result. The last
     * member, by which whoever passes the event on finds it without reading the result.
     */
    waits_ms: milliseconds.optional(),
  }),
  z.looseObject({
    event: z.literal("error"),
    error: z.looseObject({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      executed: z.enum(["no", "maybe", "yes"]),
      details: z.record(z.string(), z.unknown()).optional(),
      retry_after_s: z.int().nonnegative().optional(),
    }),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;

/**
 * What the ticket of `DELETE /v1/runs/{id}` is signed over: the request has no body, so the
 * ticket binds its method and path instead.
 */
export function cancelTicketBody(requestId: string): Uint8Array {
  return new TextEncoder().encode(`DELETE /v1/runs/${requestId}`);
}
