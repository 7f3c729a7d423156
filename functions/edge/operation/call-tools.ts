import type { CallOptions, ConfigFields, ToolCall } from "../../../shared/api/requests.ts";
import type { CallResult } from "../../../shared/content/call-result.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { answer } from "./answer.ts";
import { load, type ScopedServer } from "./load.ts";
import { type OperationContext, timed } from "./operation-context.ts";
import { type PreparedServer, prepare } from "./prepare.ts";
import { redactError } from "./redact-error.ts";
import { mayBeRotated, renew } from "./renew.ts";
import { runTool } from "./run.ts";
import { select } from "./select.ts";

/** Bytes of content to answer when the request sets no limit. */
const defaultResultBytes = 1024 * 1024;

export interface ToolCalls {
  readonly fields: ConfigFields;
  readonly calls: readonly ToolCall[];
  readonly options: CallOptions;
}

/** One call's end: a result, or the failure that kept it from having one. */
export type CallOutcome = CallResult | GatewayError;

interface Scope {
  readonly request: ToolCalls;
  readonly servers: readonly ScopedServer[];
  /** The request's servers by name, each prepared once. */
  readonly prepared: Map<string, Promise<PreparedServer>>;
  /** What replaced a server whose secrets turned out to be rotated. */
  readonly renewed: Map<PreparedServer, Promise<PreparedServer | null>>;
  readonly context: OperationContext;
}

/**
 * Runs the calls of one request side by side; calls to one server share its session, and a
 * failed call never fails another.
 * @throws GatewayError for what concerns the request as a whole: its config, a missing scope
 */
export async function callTools(
  request: ToolCalls,
  context: OperationContext,
): Promise<readonly CallOutcome[]> {
  const servers = load(request.fields, context);
  const scope: Scope = { request, servers, prepared: new Map(), renewed: new Map(), context };
  try {
    return await Promise.all(request.calls.map((call) => callOne(call, scope)));
  } finally {
    context.afterAnswer(closeAll([...scope.prepared.values(), ...scope.renewed.values()]));
  }
}

async function callOne(call: ToolCall, scope: Scope): Promise<CallOutcome> {
  const startedAt = scope.context.clock();
  try {
    const prepared = await preparedServer(select(scope.servers, call.server), scope);
    return await runRenewed(call, prepared, scope, startedAt);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.server !== undefined || call.server === undefined
      ? error
      : error.with({ server: call.server });
  }
}

/** A call that the server refused before it ran is made once more where a secret was rotated. */
async function runRenewed(
  call: ToolCall,
  prepared: PreparedServer,
  scope: Scope,
  startedAt: number,
): Promise<CallResult> {
  try {
    return await runCall(call, prepared, scope, startedAt);
  } catch (error) {
    const renewed = mayBeRotated(error, prepared) ? await renewedServer(prepared, scope) : null;
    if (renewed === null) throw error;
    return runCall(call, renewed, scope, startedAt);
  }
}

async function runCall(
  call: ToolCall,
  { server, resolved, open }: PreparedServer,
  { request, context }: Scope,
  startedAt: number,
): Promise<CallResult> {
  const timeoutMs = (request.options.timeout_s ?? server.config.request_timeout) * 1000;
  const options = { timeoutMs, signal: context.signal };
  try {
    const answered = await timed(context, "run", () =>
      runTool(server, open, { tool: call.tool, arguments: call.arguments, options }),
    );
    const maxResultBytes = request.options.max_result_bytes ?? defaultResultBytes;
    return answer({ ...answered, resolved, open, startedAt, maxResultBytes }, context);
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  }
}

function preparedServer(scoped: ScopedServer, scope: Scope): Promise<PreparedServer> {
  const known = scope.prepared.get(scoped.name);
  if (known !== undefined) return known;
  const preparing = prepare(scoped, scope.request.fields.inputs ?? {}, scope.context);
  scope.prepared.set(scoped.name, preparing);
  return preparing;
}

function renewedServer(prepared: PreparedServer, scope: Scope): Promise<PreparedServer | null> {
  const known = scope.renewed.get(prepared);
  if (known !== undefined) return known;
  const renewing = renew(prepared, scope.request.fields.inputs ?? {}, scope.context);
  scope.renewed.set(prepared, renewing);
  return renewing;
}

async function closeAll(servers: readonly Promise<PreparedServer | null>[]): Promise<void> {
  const settled = await Promise.allSettled(servers);
  const opened = settled.flatMap((server) =>
    server.status === "fulfilled" && server.value !== null ? [server.value] : [],
  );
  await Promise.all(opened.map(({ open }) => open.close()));
}
