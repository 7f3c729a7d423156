import type { CallOptions, ConfigFields, ToolCall } from "../../../shared/api/requests.ts";
import type { CallResult } from "../../../shared/content/call-result.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { answer } from "./answer.ts";
import { load, type ScopedServer } from "./load.ts";
import { type OperationContext, timed } from "./operation-context.ts";
import { type PreparedServer, prepare } from "./prepare.ts";
import { redactError } from "./redact-error.ts";
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
  const scope: Scope = { request, servers, prepared: new Map(), context };
  try {
    return await Promise.all(request.calls.map((call) => callOne(call, scope)));
  } finally {
    context.afterAnswer(closeAll(scope.prepared));
  }
}

async function callOne(call: ToolCall, scope: Scope): Promise<CallOutcome> {
  const startedAt = scope.context.clock();
  try {
    const prepared = await preparedServer(select(scope.servers, call.server), scope);
    return await runCall(call, prepared, scope, startedAt);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.server !== undefined || call.server === undefined
      ? error
      : error.with({ server: call.server });
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
    return answer(
      { ...answered, resolved, open, startedAt, maxResultBytes },
      context,
    );
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

async function closeAll(prepared: Scope["prepared"]): Promise<void> {
  const settled = await Promise.allSettled(prepared.values());
  await Promise.all(
    settled.map((server) => (server.status === "fulfilled" ? server.value.open.close() : undefined)),
  );
}
